import { useWatch } from "react-hook-form"
import { useSession } from "../../../api/session.ts"
import { DrawerForm, useDeskForm } from "../../../forms/form.tsx"
import { needsSubmissionNote, SubmissionNote, useSendJob } from "../../../forms/job-submission.tsx"
import { MetadataField } from "../../../forms/metadata-editor.tsx"
import { TextField } from "../../../forms/fields.tsx"
import { cost } from "../../../lib/format.ts"
import classes from "../edit/edit-form.module.css"
import { createBodyOf, createSchema, createValues, emptyMember, type CreateValues } from "./create-model.ts"

interface CreateFormProps {
  /** What the fields begin with when something is corrected. */
  typed: CreateValues | undefined
  onSent: (jobId: string) => void
  onClose: () => void
}

/** A new member's fields. */
export function CreateForm({ typed, onSent, onClose }: CreateFormProps) {
  const draftKey = `${useSession().user.id}:member-create`
  const create = useSendJob(draftKey)
  const form = useDeskForm<CreateValues, CreateValues>({
    schema: createSchema,
    values: emptyMember,
    typed,
    draft: { key: draftKey, shape: createValues },
  })
  const { control } = form.methods
  const [first, last] = useWatch({ control, name: ["first_name", "last_name"] })
  const who = `${first.trim()} ${last.trim()}`.trim() || "the member"
  return (
    <DrawerForm
      title="New member"
      wide
      form={form}
      onSubmit={async (values) => {
        const job = await create.mutateAsync({ kind: "member-create", rows: [createBodyOf(values)] })
        form.dropDraft()
        onSent(job.id)
      }}
      onClose={onClose}
      submitError={create.error}
      {...(needsSubmissionNote(create.error)
        ? { errorNote: <SubmissionNote error={create.error} button={`Create ${who}`} /> }
        : {})}
      busy={create.isPending}
      notDone="Couldn’t create the member."
      action={`Create ${who}`}
      running={`Creating ${who}`}
      preview={<p className={classes.help}>Laurel checks the e-mail first, so no one is added twice.</p>}
      costs={cost(2)}
    >
      <TextField
        control={control}
        name="email"
        label="E-mail"
        type="email"
        first
        help="It can’t be changed later."
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
        help="Free-form data such as a dealer code. Choose a type for each key."
      />
    </DrawerForm>
  )
}
