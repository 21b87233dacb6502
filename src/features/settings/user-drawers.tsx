import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useFormState, useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { roleNames } from "../../../contract/roles.ts"
import {
  createUserBody,
  type CreateUserBody,
  type AppUser,
  type PasswordLink,
} from "../../../contract/users.ts"
import { useSession } from "../../api/session.ts"
import { useCreateUser, usePasswordLink, userQuery, usersQuery, useUpdateUser } from "../../api/users.ts"
import { OneTimeLinkDrawer } from "./one-time-link-drawer.tsx"
import { Facts } from "./settings-parts.tsx"
import { hindrances, noRequests, Refusal, RoleChangeNote, RoleField } from "./user-roles.tsx"
import { RolesMatrix, UserState } from "./users-page.tsx"
import { DrawerForm, useAppForm } from "../../forms/form.tsx"
import { TextField } from "../../forms/fields.tsx"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { SkeletonRows } from "../../ui/query-state.tsx"
import { SideDrawer } from "../../ui/side-drawer.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"

/** Creates a user; then shows the one-time link in the same drawer. */
export function CreateUserDrawer() {
  const navigate = useNavigate()
  const create = useCreateUser()
  const close = () => void navigate({ to: "/settings/users", resetScroll: false })
  if (create.data !== undefined) {
    const { user, link } = create.data
    return (
      <OneTimeLinkDrawer
        title="New user"
        done={`${user.name} was added as ${roleNames[user.role].toLowerCase()}`}
        user={user}
        link={link}
        onClose={close}
      />
    )
  }
  return <CreateUserForm create={create} onClose={close} />
}

interface CreateUserFormProps {
  create: ReturnType<typeof useCreateUser>
  onClose: () => void
}

function CreateUserForm({ create, onClose }: CreateUserFormProps) {
  const form = useAppForm<CreateUserBody, CreateUserBody>({
    schema: createUserBody,
    values: { name: "", email: "", role: "viewer" },
  })
  const { control } = form.methods
  const [name, role] = useWatch({ control, name: ["name", "role"] })
  const who = name.trim() || "the user"
  return (
    <DrawerForm
      title="New user"
      wide
      form={form}
      onSubmit={(body) => create.mutateAsync(body)}
      submitError={create.error}
      busy={create.isPending}
      notDone="Couldn’t create the user."
      action={`Create ${who}`}
      running={`Creating ${who}`}
      costs={noRequests}
      onClose={onClose}
    >
      <TextField control={control} name="name" label="Name" first />
      <TextField
        control={control}
        name="email"
        type="email"
        label="E-mail"
        help="Used to sign in. It can’t be changed later, and Laurel doesn’t send e-mail to it."
      />
      <RoleField control={control} name="role" label="Role" />
      <details className={classes.drawerPanel}>
        <summary>What each role may do</summary>
        <RolesMatrix chosen={role} />
      </details>
    </DrawerForm>
  )
}

const route = getRouteApi("/_app/settings/users/$userId")

/** One user: name, role, access, and a new password link, which then takes the drawer's place. */
export function UserDrawer() {
  const { userId } = route.useParams()
  const navigate = route.useNavigate()
  const { data: users = [] } = useQuery(usersQuery)
  const listed = users.find(({ id }) => id === userId)
  const { data: user = listed, error, refetch } = useQuery(userQuery(userId))
  const [link, setLink] = useState<PasswordLink | null>(null)
  const close = () => void navigate({ to: "/settings/users", resetScroll: false })

  if (user === undefined) {
    return (
      <SideDrawer title="User" wide onClose={close}>
        {error === null ? (
          <SkeletonRows rows={4} columns={[120, 240]} />
        ) : (
          <ErrorNotice error={error} what="Couldn’t load the user." onRetry={() => void refetch()} />
        )}
      </SideDrawer>
    )
  }
  if (link !== null) {
    return (
      <OneTimeLinkDrawer
        title="New password link"
        done={`A new link for ${user.name}`}
        user={user}
        link={link}
        onClose={close}
      />
    )
  }
  return <EditUserForm key={user.id} user={user} users={users} onLink={setLink} onClose={close} />
}

/** What the form edits; the e-mail stays. */
const editedFields = z.pick(createUserBody, { name: true, role: true })

interface EditUserFormProps {
  user: AppUser
  /** Everybody, to know whether this is the last administrator. */
  users: readonly AppUser[]
  onLink: (link: PasswordLink) => void
  onClose: () => void
}

/** Name and role of a user, and below them what can be done to their access. */
function EditUserForm({ user, users, onLink, onClose }: EditUserFormProps) {
  const me = useSession().user.id
  const update = useUpdateUser(user.id)
  const [asked, setAsked] = useState<"access" | "link" | null>(null)
  const form = useAppForm({ schema: editedFields, values: { name: user.name, role: user.role } })
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
        preview={<output className={classes.drawerSaved}>{update.isSuccess && !isDirty && "Saved"}</output>}
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

/** What is known about a user and cannot be changed here. */
function UserFacts({ user }: { user: AppUser }) {
  return (
    <div className={classes.drawerFacts}>
      <Facts
        rows={[
          ["E-mail", user.email],
          ["State", <UserState key="state" user={user} />],
          [
            "Last seen",
            user.last_seen_at === null ? "Not yet" : <RelativeTime key="seen" at={user.last_seen_at} />,
          ],
          ["Created", <RelativeTime key="created" at={user.created_at} />],
        ]}
      />
    </div>
  )
}

interface UserActionsProps {
  user: AppUser
  /** Why the user cannot be disabled, if so. */
  whyNotDisable: string | undefined
  onAccess: () => void
  onLink: () => void
}

/** What can be done to a user's access, each with what it does. */
function UserActions({ user, whyNotDisable, onAccess, onLink }: UserActionsProps) {
  const hindered = !user.disabled && whyNotDisable !== undefined
  return (
    <div className={classes.drawerActions}>
      <div className={classes.action}>
        <div>
          <h3>Password link</h3>
          <p>
            {user.disabled
              ? "Enable the user first: links don’t work for disabled users."
              : "Works once within 24 hours and sets a new password. Earlier links stop working."}
          </p>
        </div>
        <Button onClick={onLink} disabled={user.disabled}>
          New link
        </Button>
      </div>
      <div className={classes.action}>
        <div>
          <h3>{user.disabled ? "Disabled" : "Sign-in"}</h3>
          <p>
            {user.disabled
              ? "Can’t sign in. Enabling restores access with their role and password."
              : (whyNotDisable ?? "Disabling signs them out everywhere. Nothing they did is undone.")}
          </p>
        </div>
        <Button
          {...(user.disabled || hindered ? {} : { color: "danger" })}
          disabled={hindered}
          onClick={onAccess}
        >
          {user.disabled ? "Enable" : "Disable"}
        </Button>
      </div>
    </div>
  )
}

interface AccessDialogProps {
  user: AppUser
  onClose: () => void
}

/** Asks before a user is disabled, or enabled again. */
function AccessDialog({ user, onClose }: AccessDialogProps) {
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

interface NewLinkDialogProps {
  user: AppUser
  onLink: (link: PasswordLink) => void
  onClose: () => void
}

/** Asks before a new password link is made, because it makes earlier ones useless. */
function NewLinkDialog({ user, onLink, onClose }: NewLinkDialogProps) {
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
