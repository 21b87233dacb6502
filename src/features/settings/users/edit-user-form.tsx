import { useState } from "react"
import { useFormState, useWatch } from "react-hook-form"
import { createUserBody, type DeskUser, type PasswordLink } from "../../../../contract/users.ts"
import { roleNames } from "../../../../contract/roles.ts"
import { useSession } from "../../../api/session.ts"
import { useUpdateUser } from "../../../api/users.ts"
import { DrawerForm } from "../../../forms/drawer-form.tsx"
import { TextField } from "../../../forms/text-field.tsx"
import { useDeskForm } from "../../../forms/use-desk-form.ts"
import * as z from "zod/mini"
import { AccessDialog } from "./access-dialog.tsx"
import { NewLinkDialog } from "./new-link-dialog.tsx"
import { noRequests } from "./no-requests.ts"
import { RoleChangeNote } from "./role-change-note.tsx"
import { RoleField } from "./role-field.tsx"
import { UserActions } from "./user-actions.tsx"
import { UserFacts } from "./user-facts.tsx"
import { hindrances } from "./user-rules.ts"
import classes from "./users-drawer.module.css"

/** What the form edits; the e-mail stays. */
const editedFields = z.pick(createUserBody, { name: true, role: true })

interface EditUserFormProps {
  user: DeskUser
  /** Everybody, to know whether this is the last administrator. */
  users: readonly DeskUser[]
  onLink: (link: PasswordLink) => void
  onClose: () => void
}

/** Name and role of a user, and below them what can be done to their access. */
export function EditUserForm({ user, users, onLink, onClose }: EditUserFormProps) {
  const me = useSession().user.id
  const update = useUpdateUser(user.id)
  const [asked, setAsked] = useState<"access" | "link" | null>(null)
  const form = useDeskForm({ schema: editedFields, values: { name: user.name, role: user.role } })
  const { control, reset } = form.methods
  const { isDirty, dirtyFields } = useFormState({ control })
  const role = useWatch({ control, name: "role" })
  const { disable, demote } = hindrances(user, me, users)

  const save = async (values: z.output<typeof editedFields>) => {
    // What was changed here, not what differs from a user whom somebody else may have changed meanwhile.
    const changed = {
      ...(dirtyFields.name === true ? { name: values.name } : {}),
      ...(dirtyFields.role === true ? { role: values.role } : {}),
    }
    if (Object.keys(changed).length === 0) return
    const saved = await update.mutateAsync(changed)
    reset({ name: saved.name, role: saved.role })
  }

  return (
    <>
      <DrawerForm
        title={user.name}
        wide
        form={form}
        onSubmit={save}
        submitError={update.error}
        busy={update.isPending}
        notDone="Couldn’t save the changes."
        action={role === user.role ? "Save" : `Make ${user.name} ${roleNames[role].toLowerCase()}`}
        running="Saving"
        held={!isDirty}
        costs={noRequests}
        forecast={<output className={classes.saved}>{update.isSuccess && !isDirty && "Saved"}</output>}
        onClose={onClose}
      >
        <TextField control={control} name="name" label="Name" first />
        <RoleField
          control={control}
          name="role"
          label="Role"
          help={demote ?? "Takes effect on their next action."}
          disabled={demote !== undefined}
        />
        <RoleChangeNote name={user.name} from={user.role} to={role} />
        <UserActions
          user={user}
          whyNotDisable={disable}
          onAccess={() => setAsked("access")}
          onLink={() => setAsked("link")}
        />
        <UserFacts user={user} />
      </DrawerForm>
      {asked === "access" && <AccessDialog user={user} onClose={() => setAsked(null)} />}
      {asked === "link" && <NewLinkDialog user={user} onLink={onLink} onClose={() => setAsked(null)} />}
    </>
  )
}
