import { useWatch } from "react-hook-form"
import type { Member } from "../../../../contract/program/member.ts"
import { useCreateMember } from "../../../api/member-writes.ts"
import { useSession } from "../../../api/permissions.ts"
import { DrawerForm } from "../../../form/drawer-form.tsx"
import { MetadataField } from "../../../form/metadata/metadata-field.tsx"
import { TextField } from "../../../form/text-field.tsx"
import { useDeskForm } from "../../../form/use-desk-form.ts"
import { cost } from "../../../lib/cost.ts"
import classes from "../edit/edit-form.module.css"
import { CreateErrorNote, hasOwnNote } from "./create-error-note.tsx"
import { createBodyOf, createSchema, createValues, emptyMember, type CreateValues } from "./create-model.ts"

interface CreateFormProps {
  onCreated: (member: Member) => void
  onClose: () => void
}

/** A new member's fields. */
export function CreateForm({ onCreated, onClose }: CreateFormProps) {
  const create = useCreateMember()
  const userId = useSession().user.id
  const form = useDeskForm<CreateValues, CreateValues>({
    schema: createSchema,
    values: emptyMember,
    draft: { key: `${userId}:member-create`, shape: createValues },
  })
  const { control } = form.methods
  const [first, last, email] = useWatch({ control, name: ["first_name", "last_name", "email"] })
  const who = `${first.trim()} ${last.trim()}`.trim() || "the member"
  return (
    <DrawerForm
      title="New member"
      wide
      form={form}
      onSubmit={async (values) => {
        const answer = await create.mutateAsync(createBodyOf(values))
        form.dropDraft()
        onCreated(answer.data)
      }}
      onClose={onClose}
      submitError={create.error}
      {...(hasOwnNote(create.error)
        ? { errorNote: <CreateErrorNote error={create.error} email={email.trim()} /> }
        : {})}
      busy={create.isPending}
      notDone="The member was not created."
      action={`Create ${who}`}
      running={`Creating ${who}`}
      forecast={
        <p className={classes.help}>
          Laurel looks the e-mail up first, so that nobody becomes a member twice.
        </p>
      }
      costs={cost(2)}
    >
      <TextField
        control={control}
        name="email"
        label="E-mail"
        type="email"
        first
        help="It cannot be changed later."
      />
      <div className={classes.pair}>
        <TextField control={control} name="first_name" label="First name" />
        <TextField control={control} name="last_name" label="Last name" />
      </div>
      <TextField control={control} name="company" label="Company" optional />
      <TextField control={control} name="phone" label="Phone" type="tel" optional />
      <MetadataField
        control={control}
        name="metadata"
        label="Metadata"
        optional
        help="Free-form data such as a dealer code. Choose the kind beside each key."
      />
    </DrawerForm>
  )
}
