import { useWatch } from "react-hook-form"
import type { Member } from "../../../../contract/program/member.ts"
import { currentOf, useUpdateMember, type SavedMember } from "../../../api/member-writes.ts"
import { DrawerForm, useDeskForm } from "../../../forms/form.tsx"
import { MetadataField } from "../../../forms/metadata-editor.tsx"
import { SelectField, TextField } from "../../../forms/fields.tsx"
import { cost } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { statusWord } from "../../../ui/status.tsx"
import { settableStatusOf } from "../page/member-status.ts"
import classes from "./edit-form.module.css"
import {
  changedWords,
  changesOf,
  editSchema,
  editValues,
  requestsToSave,
  valuesOf,
  type EditValues,
} from "./edit-model.ts"

interface EditFormProps {
  /** The copy that is edited. */
  member: Member
  /** What was typed already, before this copy was read. */
  typed: EditValues | undefined
  draftKey: string
  onConflict: (now: Member, yours: EditValues) => void
  onSaved: (saved: SavedMember) => void
  onClose: () => void
}

/** A member's fields. Only what says something else than before is sent. */
export function EditForm(props: EditFormProps) {
  const { member, typed, draftKey, onConflict, onSaved, onClose } = props
  const base = valuesOf(member)
  const update = useUpdateMember(member.id)
  const form = useDeskForm<EditValues, EditValues>({
    schema: editSchema(base),
    values: base,
    typed,
    draft: { key: draftKey, shape: editValues },
  })
  const { control } = form.methods
  const now = { ...base, ...useWatch({ control }) } as EditValues
  const changes = changesOf(base, now)
  const changed = changedWords(changes)
  const name = fullName(member)

  const save = async (values: EditValues) => {
    try {
      const saved = await update.mutateAsync({ changes: changesOf(base, values), seen: member.updated_at })
      form.dropDraft()
      onSaved(saved)
    } catch (error) {
      const current = currentOf(error)
      if (current === null) throw error
      onConflict(current, values)
    }
  }

  return (
    <DrawerForm
      title={`Edit ${name}`}
      wide
      form={form}
      onSubmit={save}
      onClose={onClose}
      submitError={update.error}
      busy={update.isPending}
      notDone="Couldn’t save the changes."
      held={changed === ""}
      action={changed === "" ? "No changes" : `Save ${changed}`}
      running={`Saving ${changed}`}
      costs={changed === "" ? "Only changed fields are sent" : cost(requestsToSave(changes))}
    >
      <div className={classes.pair}>
        <TextField control={control} name="first_name" label="First name" first />
        <TextField control={control} name="last_name" label="Last name" />
      </div>
      <div className={classes.fixed}>
        <span className={classes.label}>E-mail</span>
        <span>{member.email ?? "None"}</span>
        <span className={classes.help}>The service does not let an e-mail be changed.</span>
      </div>
      <TextField control={control} name="company" label="Company" optional />
      <TextField control={control} name="phone" label="Phone" type="tel" optional />
      <SelectField control={control} name="status" label="Status" {...statusChoices(member)} />
      <MetadataField
        control={control}
        name="metadata"
        label="Metadata"
        optional
        help="Each value keeps the type shown beside its key: 12 stays a number, not text."
      />
    </DrawerForm>
  )
}

/** Active and inactive are offered; a status that can only be read is shown and stays until one of them is chosen. */
function statusChoices(member: Member) {
  const settable = [
    { value: "active", label: "Active" },
    { value: "inactive", label: "Inactive" },
  ]
  if (settableStatusOf(member) !== null) return { options: settable }
  const word = member.status ? statusWord("member", member.status).word : "None"
  return {
    options: [{ value: "", label: word }, ...settable],
    help: `${word} is set by the service. Once you choose another status, you can’t set it back.`,
    optional: true,
  }
}
