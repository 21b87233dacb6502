import { useNavigate } from "@tanstack/react-router"
import { useWatch } from "react-hook-form"
import { createUserBody, type CreateUserBody } from "../../../../contract/users.ts"
import { roleNames } from "../../../../contract/roles.ts"
import { useCreateUser } from "../../../api/users.ts"
import { DrawerForm } from "../../../forms/drawer-form.tsx"
import { TextField } from "../../../forms/text-field.tsx"
import { useDeskForm } from "../../../forms/use-desk-form.ts"
import { noRequests } from "./no-requests.ts"
import { OneTimeLinkDrawer } from "./one-time-link-drawer.tsx"
import { RoleField } from "./role-field.tsx"
import { RolesMatrix } from "./roles-matrix.tsx"
import classes from "./users-drawer.module.css"

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
  const form = useDeskForm<CreateUserBody, CreateUserBody>({
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
      <details className={classes.panel}>
        <summary>What each role may do</summary>
        <RolesMatrix chosen={role} />
      </details>
    </DrawerForm>
  )
}
