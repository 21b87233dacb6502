import { useQuery } from "@tanstack/react-query"
import { currentOf, useUpdateMember } from "../../../api/member-writes.ts"
import { useCan } from "../../../api/session.ts"
import { cost } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { statusWord } from "../../../ui/status.tsx"
import { memberRecordQuery } from "../page/member-record.ts"
import { otherStatus } from "../page/member-status.ts"
import { useCloseDialog } from "../page/use-close-dialog.ts"
import { useMemberId } from "../page/use-member-page.ts"

/** Deactivates an active member, activates every other one. */
export function StatusDialog() {
  const memberId = useMemberId()
  const close = useCloseDialog()
  const mayEdit = useCan("members.edit")
  const { data: answer } = useQuery(memberRecordQuery(memberId))
  const update = useUpdateMember(memberId)
  if (answer === undefined) return null

  const member = answer.data
  const name = fullName(member)
  const to = otherStatus(member)
  const word = to === "active" ? "Activate" : "Deactivate"
  const changed = currentOf(update.error) !== null
  const confirm = () =>
    update.mutate({ changes: { status: to }, seen: member.updated_at }, { onSuccess: close })
  return (
    <ConfirmDialog
      title={`${word} ${name}`}
      action={`${word} ${name}`}
      tone="plain"
      ready={mayEdit}
      busy={update.isPending}
      error={update.error}
      what={changed ? "The page shows the current status." : "Couldn’t change the status."}
      onConfirm={confirm}
      onClose={close}
    >
      <p>
        {member.status ? `The status is ${statusWord("member", member.status).word} now. ` : ""}
        {to === "inactive"
          ? "The member becomes inactive. Points and history are kept, and you can reactivate them any time."
          : "The member becomes active. You can deactivate them again any time."}
      </p>
      <p className="l-meta text-muted">{mayEdit ? cost(2) : "Changing members requires the Manager role."}</p>
    </ConfirmDialog>
  )
}
