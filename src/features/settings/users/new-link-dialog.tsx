import type { DeskUser, PasswordLink } from "../../../../contract/users.ts"
import { usePasswordLink } from "../../../api/users.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { Refusal } from "./refusal.tsx"

interface NewLinkDialogProps {
  user: DeskUser
  onLink: (link: PasswordLink) => void
  onClose: () => void
}

/** Asks before a new password link is made, because it makes earlier ones useless. */
export function NewLinkDialog({ user, onLink, onClose }: NewLinkDialogProps) {
  const make = usePasswordLink(user.id)
  return (
    <ConfirmDialog
      title={`New password link for ${user.name}`}
      action="Create link"
      tone="plain"
      busy={make.isPending}
      error={null}
      onConfirm={() => make.mutate(undefined, { onSuccess: onLink })}
      onClose={onClose}
    >
      <p>
        Earlier links stop working. The password they have stays until the new link is used; using it ends
        their sessions.
      </p>
      <Refusal error={make.error} what="Couldn’t create the link." />
    </ConfirmDialog>
  )
}
