import { Box, Button, Group, TextInput } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, useBlocker, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
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
import { SavedNote } from "./settings-parts.tsx"
import { hindrances, noRequests, Refusal, RoleChangeNote, RoleField } from "./user-roles.tsx"
import { RolesMatrix, UserState } from "./users-page.tsx"
import { DrawerForm, useAppForm } from "../../forms/form.tsx"
import { TextField } from "../../forms/fields.tsx"
import { LoadingDrawer } from "../../forms/job-outcome.tsx"
import { exact } from "../../lib/time.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { Outcome, SideDrawer } from "../../ui/side-drawer.tsx"
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

const newUser: CreateUserBody = { name: "", email: "", role: "viewer" }

function CreateUserForm({
  create,
  onClose,
}: {
  create: ReturnType<typeof useCreateUser>
  onClose: () => void
}) {
  const form = useAppForm({ schema: createUserBody, values: newUser })
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
      <details className={`card ${classes.details}`}>
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
  const query = useQuery(userQuery(userId))
  const user = query.data ?? listed
  const [link, setLink] = useState<PasswordLink | null>(null)
  const close = () => void navigate({ to: "/settings/users", resetScroll: false })

  if (user === undefined) {
    return (
      <LoadingDrawer
        title="User"
        wide
        onClose={close}
        error={query.error}
        what="Couldn’t load the user."
        onRetry={() => void query.refetch()}
      />
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

const editedFields = z.pick(createUserBody, { name: true, role: true })

interface EditUserFormProps {
  user: AppUser
  /** Everybody, to know whether this is the last administrator. */
  users: readonly AppUser[]
  onLink: (link: PasswordLink) => void
  onClose: () => void
}

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
        preview={<SavedNote>{update.isSuccess && !isDirty && "Saved"}</SavedNote>}
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
        <div className="card divided">
          <UserAction
            title="Password link"
            help={
              user.disabled
                ? "Enable the user first: links don’t work for disabled users."
                : "Works once within 24 hours and sets a new password. Earlier links stop working."
            }
          >
            <Button onClick={() => setAsked("link")} disabled={user.disabled}>
              New link
            </Button>
          </UserAction>
          {user.disabled ? (
            <UserAction
              title="Disabled"
              help="Can’t sign in. Enabling restores access with their role and password."
            >
              <Button onClick={() => setAsked("access")}>Enable</Button>
            </UserAction>
          ) : (
            <UserAction
              title="Sign-in"
              help={disable ?? "Disabling signs them out everywhere. Nothing they did is undone."}
            >
              <Button
                {...(disable === undefined && { color: "danger" })}
                disabled={disable !== undefined}
                onClick={() => setAsked("access")}
              >
                Disable
              </Button>
            </UserAction>
          )}
        </div>
        <Box pt="md" fz="md" bdrs={0} style={{ borderTop: "1px solid var(--l-border)" }}>
          <DescriptionList
            layout="beside"
            items={[
              ["E-mail", user.email],
              ["State", <UserState user={user} />],
              ["Last seen", user.last_seen_at === null ? "Not yet" : <RelativeTime at={user.last_seen_at} />],
              ["Created", <RelativeTime at={user.created_at} />],
            ]}
          />
        </Box>
      </DrawerForm>
      {asked === "access" && <AccessDialog user={user} onClose={() => setAsked(null)} />}
      {asked === "link" && <NewLinkDialog user={user} onLink={onLink} onClose={() => setAsked(null)} />}
    </>
  )
}

function UserAction({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <Group gap="md" wrap="nowrap" px={14} py={12}>
      <Box flex={1} miw={0}>
        <h3 className="l-medium">{title}</h3>
        <p className="l-meta text-secondary">{help}</p>
      </Box>
      {children}
    </Group>
  )
}

function AccessDialog({ user, onClose }: { user: AppUser; onClose: () => void }) {
  const update = useUpdateUser(user.id)
  // The question stays the one that was asked while the response already changes the user behind it.
  const [disabling] = useState(!user.disabled)
  const action = disabling ? "Disable" : "Enable"
  return (
    <ConfirmDialog
      title={`${action} ${user.name}`}
      action={action}
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
      <Refusal error={update.error} what={`Couldn’t ${action.toLowerCase()} the user.`} />
    </ConfirmDialog>
  )
}

/** Asks before a new password link is made, because it makes earlier ones useless. */
function NewLinkDialog({ user, onLink, onClose }: Pick<EditUserFormProps, "user" | "onLink" | "onClose">) {
  const create = usePasswordLink(user.id)
  return (
    <ConfirmDialog
      title={`New password link for ${user.name}`}
      action="Create link"
      tone="plain"
      busy={create.isPending}
      error={null}
      onConfirm={() => create.mutate(undefined, { onSuccess: onLink })}
      onClose={onClose}
    >
      <p>
        Earlier links stop working. The password they have stays until the new link is used; using it ends
        their sessions.
      </p>
      <Refusal error={create.error} what="Couldn’t create the link." />
    </ConfirmDialog>
  )
}

interface OneTimeLinkDrawerProps {
  title: string
  /** What was done, in one sentence. */
  done: string
  user: AppUser
  link: PasswordLink
  onClose: () => void
}

/**
 * A one-time password link, shown this once: it stands in this component's memory alone and is gone with it. Asks
 * before it is closed without having been copied.
 */
function OneTimeLinkDrawer({ title, done, user, link, onClose }: OneTimeLinkDrawerProps) {
  const address = new URL(link.path, window.location.origin).href
  const [copied, setCopied] = useState(false)
  const [refused, setRefused] = useState(false)
  const leaving = useBlocker({
    shouldBlockFn: () => !copied,
    enableBeforeUnload: () => !copied,
    withResolver: true,
  })

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      setCopied(true)
    } catch {
      // Browsers refuse outside a secure page; the field can still be copied by hand.
      setRefused(true)
    }
  }

  return (
    <>
      <SideDrawer
        title={title}
        wide
        onClose={() => (leaving.status === "blocked" ? undefined : onClose())}
        foot={
          <Button size="md" variant={copied ? "filled" : "default"} onClick={onClose}>
            Done
          </Button>
        }
      >
        <Outcome word="Done">{done}</Outcome>
        <p className="text-secondary">
          Hand this link to {user.name} yourself. Anyone who opens it can set the password. It’s shown once
          and isn’t stored.
        </p>
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            readOnly
            flex={1}
            size="md"
            label="One-time link"
            value={address}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onCopy={() => setCopied(true)}
            classNames={{ input: "l-mono truncate" }}
          />
          <Button
            size="md"
            variant={copied ? "default" : "filled"}
            leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />}
            onClick={() => void copy()}
          >
            {copied ? "Copied" : "Copy link"}
          </Button>
        </Group>
        <output className={classes.refused}>
          {refused && !copied && "The browser blocked copying. Select the link and copy it manually."}
        </output>
        <DescriptionList
          layout="beside"
          items={[
            ["For", user.email],
            ["Valid", "24 hours, one use"],
            ["Until", exact(link.expires_at)],
          ]}
        />
      </SideDrawer>
      {leaving.status === "blocked" && (
        <ConfirmDialog
          title="The link wasn’t copied"
          action="Close anyway"
          tone="danger"
          busy={false}
          error={null}
          onConfirm={leaving.proceed}
          onClose={leaving.reset}
        >
          <p>
            It is not shown again. A new one can be made on the user&rsquo;s page; this one then stops
            working.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
