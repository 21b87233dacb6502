import { useState } from "react"
import type { DeskUser } from "../../../../contract/users.ts"
import { useUpdateUser } from "../../../api/users.ts"
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx"
import { Refusal } from "./refusal.tsx"

interface AccessDialogProps {
  user: DeskUser
  onClose: () => void
}

/** Asks before a user is disabled, or enabled again. */
export function AccessDialog({ user, onClose }: AccessDialogProps) {
  const update = useUpdateUser(user.id)
  // The question stays the one that was asked while the answer already changes the user behind it.
  const [disabling] = useState(!user.disabled)
  return (
    <ConfirmDialog
      title={disabling ? `Disable ${user.name}` : `Enable ${user.name}`}
      action={disabling ? "Disable" : "Enable"}
      tone={disabling ? "danger" : "plain"}
      busy={update.isPending}
      error={null}
      onConfirm={() => update.mutate({ disabled: disabling }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {disabling
          ? "They’re signed out everywhere and can’t sign in. Nothing they did is undone. You can enable them again."
          : "They can sign in again with their password."}
      </p>
      <Refusal
        error={update.error}
        what={disabling ? "Couldn’t disable the user." : "Couldn’t enable the user."}
      />
    </ConfirmDialog>
  )
}
