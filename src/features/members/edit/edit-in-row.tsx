import { Box, SimpleGrid } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useWatch } from "react-hook-form"
import type { Member } from "../../../../contract/program/member.ts"
import { currentOf, useUpdateMember } from "../../../api/members.ts"
import { TextField } from "../../../forms/fields.tsx"
import { useAppForm } from "../../../forms/form.tsx"
import { useDraftKey } from "../../../forms/job-drawer.tsx"
import { RowForm } from "../../../forms/row-form.tsx"
import { saveDraft } from "../../../lib/draft-store.ts"

import { fullName } from "../../../lib/names.ts"
import { notify } from "../../../lib/notifications.ts"
import type { RowEditorProps } from "../../../lists/list-columns.ts"
import { Notice } from "../../../ui/notice.tsx"
import { savedNotice } from "./edit-member.tsx"
import {
  changedFieldsText,
  getChanges,
  findConflicts,
  editSchema,
  type EditValues,
  fieldLabels,
  textFields,
  toFormValues,
  withChoices,
} from "./edit-model.ts"
import { SmallButton } from "../../../ui/button.tsx"

/** Edits a member's plain fields in the list row; saves like the edit drawer. */
export function EditInRow({ row, gone, fields, onClose }: RowEditorProps<Member>) {
  // The version when editing began: a later one is a conflict on saving.
  const [original, setOriginal] = useState(row)
  const [met, setMet] = useState<{ before: EditValues; now: Member; yours: EditValues }>()
  const base = toFormValues(original)
  const client = useQueryClient()
  const navigate = useNavigate()
  const update = useUpdateMember(original.id)
  const draftKey = useDraftKey(`member-edit:${original.id}`)
  const form = useAppForm<EditValues, EditValues>({ schema: () => editSchema(base), values: base })
  const { control, getValues } = form.methods
  const now: EditValues = { ...base, ...useWatch({ control, compute: (values: EditValues) => values }) }
  const changes = getChanges(base, now)
  const changed = changedFieldsText(changes)
  const shown = textFields.filter((field) => fields.includes(field))
  const label = new Intl.ListFormat("en-AU").format(shown.map((field) => fieldLabels[field].toLowerCase()))
  const clashes = met === undefined ? [] : findConflicts({ ...met, theirs: toFormValues(met.now) })

  const save = async (values: EditValues) => {
    try {
      const sent = getChanges(base, values)
      const saved = await update.mutateAsync({ changes: sent, seen: original.updated_at })
      notify(savedNotice(client, original, saved.member, sent))
      onClose()
    } catch (error) {
      const current = currentOf(error)
      if (current === null) throw error
      const versions = { before: base, theirs: toFormValues(current), yours: values }
      setMet({ before: base, now: current, yours: values })
      if (findConflicts(versions).length > 0) return
      setOriginal(current)
      form.rebase(versions.theirs, withChoices(versions, {}))
    }
  }
  /** The drawer starts with the typed values, and with the decision if another user changed the same fields. */
  const openDrawer = () => {
    if (changed !== "") saveDraft(draftKey, { values: getValues(), base })
    onClose()
    void navigate({ to: "/members/$memberId/edit", params: { memberId: original.id }, ignoreBlocker: true })
  }

  return (
    <RowForm
      form={form}
      label={`Edit ${label} of ${fullName(original)}`}
      record={fullName(original)}
      removed={gone}
      wide={shown.length > 1}
      disabled={changed === "" || clashes.length > 0}
      busy={update.isPending}
      submitError={met === undefined || currentOf(update.error) === null ? update.error : null}
      notDone="Couldn’t save the changes."
      action="Save"
      running="Saving"
      note={changed === "" ? "Nothing has changed yet." : `Saves ${changed}.`}
      onSubmit={save}
      onMore={openDrawer}
      onClose={onClose}
    >
      {met !== undefined && (
        <Notice
          tone="warning"
          title="Someone changed this member while you were editing"
          action={clashes.length > 0 && <SmallButton onClick={openDrawer}>Compare and decide</SmallButton>}
        >
          {clashes.length === 0
            ? changed === ""
              ? "The record already says what you typed."
              : "None of your fields is affected. Save again."
            : `Your change wasn’t sent. ${nowWords(met.now, clashes)}`}
        </Notice>
      )}
      <SimpleGrid cols={{ base: 1, xs: Math.min(2, shown.length) }} spacing={12} verticalSpacing={12}>
        {shown.map((field, at) => (
          <Box key={field} style={at === 2 && shown.length === 3 ? { gridColumn: "1 / -1" } : {}}>
            <TextField
              control={control}
              name={field}
              label={fieldLabels[field]}
              type={field === "phone" ? "tel" : "text"}
              exact={field === "phone"}
              optional={field === "company" || field === "phone"}
            />
          </Box>
        ))}
      </SimpleGrid>
    </RowForm>
  )
}

/** "Company is “Tidal Air” now." */
function nowWords(now: Member, fields: ReturnType<typeof findConflicts>): string {
  const values = toFormValues(now)
  return textFields
    .filter((field) => fields.includes(field))
    .map((field) => `${fieldLabels[field]} is ${values[field] === "" ? "empty" : `“${values[field]}”`} now.`)
    .join(" ")
}
