import { Box, Group, TextInput } from "@mantine/core"
import { IconCopy } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useFormState, useWatch } from "react-hook-form"
import * as z from "zod/mini"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { can, type Role, roleNames } from "../../../contract/roles.ts"
import {
  createUserBody,
  type CreateUserBody,
  type AppUser,
  type PasswordLink,
} from "../../../contract/users.ts"
import { jobsQuery } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import { useCreateUser, usePasswordLink, userQuery, usersQuery, useUpdateUser } from "../../api/users.ts"
import { SavedNote } from "./settings-layout.tsx"
import { disabledReasons, RoleChangeNote, RoleField, RolesMatrix, UserState } from "./users-page.tsx"
import { appRoot } from "../../lib/app-root.ts"
import { DrawerForm, problemsOf, useAppForm, useLeaveGuard } from "../../forms/form.tsx"
import { TextField } from "../../forms/fields.tsx"
import { LoadingDrawer } from "../../forms/job-outcome.tsx"
import { explain } from "../../lib/errors.ts"
import { counted, listed } from "../../lib/format.ts"
import { jobTitle } from "../../lib/job-title.ts"
import { exact } from "../../lib/time.ts"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Outcome, SideDrawer } from "../../ui/side-drawer.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { Button } from "../../ui/button.tsx"

/** Creates a user; then shows the one-time link in the same drawer. */
export function CreateUserDrawer() {
  const onClose = useToUsers()
  const create = useCreateUser()
  const form = useAppForm({ schema: () => createUserBody, values: newUser })
  const { control } = form.methods
  const [name, role] = useWatch({ control, name: ["name", "role"] })
  if (create.data !== undefined) {
    const { user, link } = create.data
    const done = `${user.name} was added as ${roleNames[user.role].toLowerCase()}`
    return <OneTimeLinkDrawer title="New user" {...{ done, user, link, onClose }} />
  }
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
      <details className="card">
        <Box component="summary" p="10px 14px" fz="var(--l-fs-ui)" fw={500}>
          What each role may do
        </Box>
        <Box p="0 14px 14px">
          <RolesMatrix chosen={role} />
        </Box>
      </details>
    </DrawerForm>
  )
}

const newUser: CreateUserBody = { name: "", email: "", role: "viewer" }

function useToUsers() {
  const navigate = useNavigate()
  return () => void navigate({ to: "/settings/users", resetScroll: false })
}

const route = getRouteApi("/_app/settings/users/$userId")

/** One user: name, role, access, and a new password link, which then replaces the form. */
export function UserDrawer() {
  const { userId } = route.useParams()
  const { data: users = [] } = useQuery(usersQuery)
  const query = useQuery(userQuery(userId))
  const user = query.data ?? users.find(({ id }) => id === userId)
  const [link, onLink] = useState<PasswordLink | null>(null)
  const onClose = useToUsers()
  if (user === undefined) {
    return (
      <LoadingDrawer
        title="User"
        wide
        onClose={onClose}
        error={query.error}
        what="Couldn’t load the user."
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (link === null) return <EditUserForm key={user.id} {...{ user, users, onLink, onClose }} />
  const done = `A new link for ${user.name}`
  return <OneTimeLinkDrawer title="New password link" {...{ done, user, link, onClose }} />
}

const editedFields = z.pick(createUserBody, { name: true, role: true })

function EditUserForm(props: {
  user: AppUser
  users: readonly AppUser[]
  onLink: (link: PasswordLink) => void
  onClose: () => void
}) {
  const { user, users, onLink, onClose } = props
  const me = useSession().user.id
  const update = useUpdateUser(user.id)
  const [question, setQuestion] = useState<Question | null>(null)
  const form = useAppForm({ schema: () => editedFields, values: { name: user.name, role: user.role } })
  const { control, reset } = form.methods
  const { isDirty, dirtyFields } = useFormState({ control })
  const role = useWatch({ control, name: "role" })
  const { disable, demote } = disabledReasons(user, me, users)
  const access = user.disabled ? "enable" : "disable"

  const save = async (values: z.output<typeof editedFields>) => {
    // Only fields changed here, since another user may have changed the rest meanwhile.
    const changed = {
      ...(dirtyFields.name === true && { name: values.name }),
      ...(dirtyFields.role === true && { role: values.role }),
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
        disabled={!isDirty}
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
        {role !== user.role && <RunningJobs user={user} to={role} />}
        <div className="card divided">
          <UserAction
            title="Password link"
            help={
              user.disabled
                ? "Enable the user first: links don’t work for disabled users."
                : "Works once within 24 hours and sets a new password. Earlier links stop working."
            }
          >
            <Button onClick={() => setQuestion("link")} disabled={user.disabled}>
              New link
            </Button>
          </UserAction>
          <UserAction title={user.disabled ? "Disabled" : "Sign-in"} help={disable ?? questions[access].help}>
            <Button disabled={disable !== undefined} onClick={() => setQuestion(access)}>
              {questions[access].action}
            </Button>
          </UserAction>
        </div>
        <Box pt="md" fz="md" className="line-above">
          <DescriptionList
            layout="inline"
            items={[
              ["E-mail", user.email],
              ["State", <UserState user={user} />],
              ["Last seen", user.last_seen_at === null ? "Not yet" : <RelativeTime at={user.last_seen_at} />],
              ["Created", <RelativeTime at={user.created_at} />],
            ]}
          />
        </Box>
      </DrawerForm>
      {question !== null && (
        <UserDialog question={question} {...{ user, onLink }} onClose={() => setQuestion(null)} />
      )}
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

/** The jobs that pause when a user is disabled (`to` undefined) or gets a role without their permission. */
function RunningJobs({ user, to }: { user: AppUser; to: Role | undefined }) {
  const { data } = useQuery(jobsQuery({ created_by: user.id, state: "running" }))
  const paused = (data?.rows ?? []).filter(
    ({ kind }) => to === undefined || !can(to, jobKindDescriptors[kind].permission),
  )
  if (paused.length === 0) return null
  const title = `${counted(paused.length, "running job")} of ${user.name} ${paused.length === 1 ? "is" : "are"} paused`
  return (
    <Notice tone="warning" title={title}>
      {listed(paused.map(jobTitle))}. An administrator or a manager can continue{" "}
      {paused.length === 1 ? "it" : "them"} as the new owner.
    </Notice>
  )
}

const questions = {
  enable: {
    help: "Can’t sign in. Enabling restores access with their role and password.",
    title: "Enable",
    action: "Enable",
    text: "They can sign in again with their password.",
    notDone: "Couldn’t enable the user.",
  },
  disable: {
    help: "Disabling signs them out everywhere. Nothing they did is undone.",
    title: "Disable",
    action: "Disable",
    text: "They’re signed out everywhere and can’t sign in. Nothing they did is undone. You can enable them again.",
    notDone: "Couldn’t disable the user.",
  },
  link: {
    title: "New password link for",
    action: "Create link",
    text: "Earlier links stop working. The password they have stays until the new link is used; using it ends their sessions.",
    notDone: "Couldn’t create the link.",
  },
}
type Question = keyof typeof questions

/** Confirms changes of access or links; shows the server's message when a rule refuses them. */
function UserDialog(props: {
  question: Question
  user: AppUser
  onLink: (link: PasswordLink) => void
  onClose: () => void
}) {
  const { question, user, onLink, onClose } = props
  const update = useUpdateUser(user.id)
  const create = usePasswordLink(user.id)
  const { isPending, error } = question === "link" ? create : update
  const { title, action, text, notDone } = questions[question]
  const problems = problemsOf(error)
  return (
    <ConfirmDialog
      title={`${title} ${user.name}`}
      action={action}
      tone={question === "disable" ? "danger" : "plain"}
      busy={isPending}
      error={problems.length === 0 ? error : null}
      what={notDone}
      onConfirm={() =>
        question === "link"
          ? create.mutate(undefined, { onSuccess: onLink })
          : update.mutate({ disabled: question === "disable" }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>{text}</p>
      {question === "disable" && <RunningJobs user={user} to={undefined} />}
      {problems.length > 0 && (
        <Notice tone="danger" title={notDone} detail={explain(error).detail}>
          {problems.map(({ message }) => message).join(" ")}
        </Notice>
      )}
    </ConfirmDialog>
  )
}

const linkIsLost = {
  title: "The link wasn’t copied",
  action: "Close anyway",
  keep: "Cancel",
  text: "It is not shown again. A new one can be made on the user’s page; this one then stops working.",
}

/** A one-time link, in this component's state only; asks before it is closed without a copy. */
function OneTimeLinkDrawer(props: {
  title: string
  done: string
  user: AppUser
  link: PasswordLink
  onClose: () => void
}) {
  const { title, done, user, link, onClose } = props
  const address = new URL(`${appRoot}${link.path.slice(1)}`, window.location.origin).href
  const [copied, setCopied] = useState(false)
  const [refused, setRefused] = useState(false)
  const guard = useLeaveGuard({ unsaved: !copied, question: linkIsLost })
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      setCopied(true)
    } catch {
      // Browsers refuse outside a secure context; the field can still be copied manually.
      setRefused(true)
    }
  }
  return (
    <>
      <SideDrawer
        title={title}
        wide
        onClose={() => (guard.asking ? undefined : onClose())}
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
        <output className={"hide-empty tone-text"} data-tone="warning">
          {refused && !copied && "The browser blocked copying. Select the link and copy it manually."}
        </output>
        <DescriptionList
          layout="inline"
          items={[
            ["For", user.email],
            ["Valid", "24 hours, one use"],
            ["Until", exact(link.expires_at)],
          ]}
        />
      </SideDrawer>
      {guard.dialog}
    </>
  )
}
