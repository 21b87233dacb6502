import { isSameEmail } from "../../../../contract/email-address.ts"
import { TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { currentOf, useDeleteMember, useUpdateMember } from "../../../api/members.ts"
import { useCan } from "../../../api/session.ts"

import { fullName } from "../../../lib/names.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { Notice } from "../../../ui/notice.tsx"
import { statusText } from "../../../ui/status.tsx"
import { memberRecordQuery, otherStatus, useCloseDialog, useMemberId } from "../page/member-state.ts"

/** Deactivates an active member, activates every other one. */
export function StatusDialog() {
  const memberId = useMemberId()
  const close = useCloseDialog()
  const mayEdit = useCan("members.edit")
  const { data } = useQuery(memberRecordQuery(memberId))
  const update = useUpdateMember(memberId)
  if (data === undefined) return null

  const member = data.data
  const status = otherStatus(member)
  const effect = `${status === "active" ? "Activate" : "Deactivate"} ${fullName(member)}`
  const changed = currentOf(update.error) !== null
  return (
    <ConfirmDialog
      title={effect}
      action={effect}
      tone="plain"
      ready={mayEdit}
      busy={update.isPending}
      error={update.error}
      what={changed ? "The page shows the current status." : "Couldn’t change the status."}
      onConfirm={() => update.mutate({ changes: { status }, seen: member.updated_at }, { onSuccess: close })}
      onClose={close}
    >
      <p>
        {member.status ? `The status is ${statusText("member", member.status).word} now. ` : ""}
        {status === "inactive"
          ? "The member becomes inactive. Points and history are kept, and you can reactivate them any time."
          : "The member becomes active. You can deactivate them again any time."}
      </p>
      {!mayEdit && <p className="caption">Changing members requires the Manager role.</p>}
    </ConfirmDialog>
  )
}

/**
 * Deletes a member permanently. Deactivating is offered first, as the service recommends (docs/api/program.md,
 * Members, rule 3), and the member's e-mail must be typed.
 */
export function DeleteDialog() {
  const memberId = useMemberId()
  const close = useCloseDialog()
  const navigate = useNavigate()
  const mayDelete = useCan("members.delete")
  const remove = useDeleteMember(memberId)
  const [typed, setTyped] = useState("")
  const { data } = useQuery({ ...memberRecordQuery(memberId), enabled: !remove.isSuccess })
  if (data === undefined) return null

  const member = data.data
  const name = fullName(member)
  const email = member.email?.trim() ?? ""
  const matches = isSameEmail(typed, email)
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      action="Delete permanently"
      tone="danger"
      ready={mayDelete && matches}
      busy={remove.isPending}
      error={remove.error}
      what=""
      onConfirm={() =>
        remove.mutate(typed.trim(), {
          onSuccess: () => void navigate({ to: "/members", state: { note: `${name} was deleted` } }),
        })
      }
      onClose={close}
    >
      {!mayDelete && (
        <Notice tone="info" title="Deleting requires the Administrator role">
          Your role may not delete members.
        </Notice>
      )}
      <p>
        This deletes the member’s record from the program service; what happens to points and history is up to
        the service. Addresses captured here go too, except those of orders not shipped yet. It can’t be
        undone.
      </p>
      {otherStatus(member) === "inactive" && (
        <Notice
          tone="info"
          title="Consider deactivating instead"
          action={
            <Link
              className="l-link"
              from="/members/$memberId"
              to="/members/$memberId/deactivate"
              params={{ memberId }}
              search={(now) => now}
            >
              Deactivate instead
            </Link>
          }
        >
          The service recommends it over deleting, and it can be undone.
        </Notice>
      )}
      {email === "" ? (
        <Notice tone="warning" title="This member has no e-mail">
          Deleting requires typing the e-mail, so this member can’t be deleted here.
        </Notice>
      ) : (
        <TextInput
          size="md"
          label={`Type ${email} to delete`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          disabled={!mayDelete || remove.isPending}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  )
}
