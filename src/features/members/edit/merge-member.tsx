import { Stack } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { limits } from "../../../../contract/limits.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { isWaiting } from "../../../../contract/program/order.ts"
import { memberMergeQuery } from "../../../api/members.ts"
import { ordersQuery } from "../../../api/orders.ts"
import { balanceQuery, useBalanceAwaited } from "../../../api/points.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { JobConfirmDialog } from "../../../forms/job-confirm.tsx"
import { useSendJob } from "../../../forms/job-submission.tsx"
import { MemberPicker } from "../../../forms/type-ahead.tsx"
import { counted, listed } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { Dialog } from "../../../ui/confirm-dialog.tsx"
import { ErrorNotice, Notice } from "../../../ui/notice.tsx"
import { memberRecordQuery, useCloseDialog, useMemberId } from "../page/member-state.ts"

/** Chooses the other member, names what stays, and merges this member into the other. */
export function MergeDialog() {
  const memberId = useMemberId()
  const close = useCloseDialog()
  const { data } = useQuery(memberRecordQuery(memberId))
  const [into, setInto] = useState<Member>()
  const [mayMove, mayEdit] = [useCan("points.write"), useCan("members.edit")]
  const may = mayMove && mayEdit
  if (data === undefined) return null
  if (into !== undefined) return <ConfirmMerge member={data.data} into={into} onClose={close} />
  return (
    <Dialog title={`Merge ${fullName(data.data)} into another member`} onClose={close}>
      {may ? (
        <Stack>
          <p>
            The points move to the other member, and {fullName(data.data)} is deactivated. What stays behind
            is shown before anything is sent.
          </p>
          <MemberPicker label="Into" except={memberId} onPick={setInto} />
        </Stack>
      ) : (
        <p className="caption">Merging members requires the Manager role.</p>
      )}
    </Dialog>
  )
}

function ConfirmMerge({ member, into, onClose }: { member: Member; into: Member; onClose: () => void }) {
  const { id } = member
  const client = useQueryClient()
  const send = useSendJob(`${useSession().user.id}:merge:${id}:${into.id}`)
  useBalanceAwaited(id, true)
  const balance = useQuery(balanceQuery(id, { fresh: true }))
  const orders = useQuery(ordersQuery({ member_id: id, page: 1, per_page: limits.perPage.max }))
  // Duplicates often have one name.
  const isSameName = fullName(member) === fullName(into)
  const nameOf = (one: Member) => (isSameName ? one.email || one.id : fullName(one))
  const [name, other] = [nameOf(member), nameOf(into)]
  const points = balance.data?.data.balance
  const action = `Merge into ${other}`
  const confirm = () => {
    if (points === undefined) return
    const rows = [{ member_id: id, into: into.id, points }]
    const onSuccess = () => {
      void client.invalidateQueries({ queryKey: memberMergeQuery(id).queryKey })
      onClose()
    }
    send.mutate(
      { kind: "member-merge", rows, options: { title: `Merge ${name} into ${other}` } },
      { onSuccess },
    )
  }
  return (
    <JobConfirmDialog
      title={`Merge ${name} into ${other}?`}
      action={action}
      tone="danger"
      ready={points !== undefined && orders.data !== undefined}
      send={send}
      what="Nothing was moved."
      onClose={onClose}
      onConfirm={confirm}
    >
      <ErrorNotice error={balance.error ?? orders.error} what="Couldn’t check what would be left behind." />
      {points !== undefined && orders.data !== undefined && (
        <>
          <Stays
            name={name}
            pending={balance.data?.data.pending ?? 0}
            orders={orders.data.data.flatMap((order) => (isWaiting(order.status) ? order.order_id : []))}
          />
          <p>
            {points > 0
              ? `First ${counted(points, "point")} ${points === 1 ? "is" : "are"} deducted from ${name}, then awarded to ${other}. `
              : `${name} has no points to move. `}
            {name} is then deactivated, and both get a note. History, orders and gift cards stay with {name}.
          </p>
        </>
      )}
    </JobConfirmDialog>
  )
}

/** Pending points and open orders, which a merge does not move. */
function Stays({ name, pending, orders }: { name: string; pending: number; orders: readonly string[] }) {
  if (pending === 0 && orders.length === 0) return null
  return (
    <Notice tone="warning" title={`Some things stay with ${name}`}>
      <Stack gap={4}>
        {pending > 0 && <div>{counted(pending, "point")} pending approval</div>}
        {orders.length > 0 && (
          <div>
            {counted(orders.length, "open order")}: {listed(orders)}
          </div>
        )}
      </Stack>
    </Notice>
  )
}
