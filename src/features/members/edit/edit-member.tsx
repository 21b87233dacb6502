import { Group, SimpleGrid, Stack } from "@mantine/core"
import { IconArrowRight } from "@tabler/icons-react"
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useEffectEvent, useState } from "react"
import { useWatch } from "react-hook-form"
import { memberDetailNames, memberDetails } from "../../../../contract/program/member-fields.ts"
import {
  type Member,
  settableMemberStatuses,
  type UpdateMemberBody,
} from "../../../../contract/program/member.ts"
import {
  currentOf,
  memberToEditQuery,
  type SavedMember,
  updateMember,
  useUpdateMember,
} from "../../../api/members.ts"
import { useCan } from "../../../api/session.ts"
import { OptionCards, SelectField, TextField } from "../../../forms/fields.tsx"
import { DrawerForm, useAppForm } from "../../../forms/form.tsx"
import { useDraftKey } from "../../../forms/job-drawer.tsx"
import { LoadingDrawer, OutcomeFacts } from "../../../forms/job-outcome.tsx"
import { MetadataField, rowText } from "../../../forms/metadata-editor.tsx"
import { readDraft } from "../../../lib/draft-store.ts"
import { listed } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { notify, type Notification } from "../../../ui/notify.tsx"
import { sameValue } from "../../../lib/same-value.ts"
import { Notice } from "../../../ui/notice.tsx"
import { Outcome, SideDrawer } from "../../../ui/side-drawer.tsx"
import { statusText } from "../../../ui/status.tsx"
import { asText } from "../page/member-facts.tsx"
import { settableStatus, useCloseDialog, useMemberId } from "../page/member-state.ts"
import {
  changedFieldsText,
  getChanges,
  findConflicts,
  editSchema,
  editValues,
  fieldLabels,
  undoChanges,
  toFormValues,
  withChoices,
  type Choices,
  type EditValues,
} from "./edit-model.ts"
import { Button } from "../../../ui/button.tsx"

/** Edits a member in a drawer. An edit of an outdated version becomes a conflict on saving. */
export function EditMember() {
  const memberId = useMemberId()
  const close = useCloseDialog()
  const mayEdit = useCan("members.edit")
  const opening = useQuery({ ...memberToEditQuery(memberId), enabled: mayEdit })
  if (opening.data !== undefined) return <EditSteps opened={opening.data.data} onClose={close} />
  if (mayEdit) {
    return (
      <LoadingDrawer
        title="Edit member"
        wide
        onClose={close}
        error={opening.error}
        what="Couldn’t load the member, so it can’t be edited yet."
        onRetry={() => void opening.refetch()}
      />
    )
  }
  return (
    <SideDrawer title="Edit member" wide onClose={close}>
      <Notice tone="info" title="Editing requires the Manager role">
        You can view this member but not change it.
      </Notice>
    </SideDrawer>
  )
}

type Step =
  | { readonly is: "form"; readonly member: Member; readonly typed?: EditValues }
  | { readonly is: "conflict"; readonly before: EditValues; readonly now: Member; readonly yours: EditValues }
  | { readonly is: "saved"; readonly before: Member; readonly saved: SavedMember }

function EditSteps({ opened, onClose }: { opened: Member; onClose: () => void }) {
  const draftKey = useDraftKey(`member-edit:${opened.id}`)
  const [step, setStep] = useState<Step>(() => {
    // A draft whose fields were changed by others since starts with the decision, any other with the form.
    const draft = readDraft(draftKey, editValues)
    const versions = draft && { before: draft.base, theirs: toFormValues(opened), yours: draft.values }
    return versions !== null && findConflicts(versions).length > 0
      ? { is: "conflict", before: versions.before, now: opened, yours: versions.yours }
      : { is: "form", member: opened }
  })
  const props = { draftKey, onNext: setStep, onClose }
  if (step.is === "saved") return <EditOutcome {...step} {...props} />
  if (step.is === "conflict") return <ConflictDrawer {...step} {...props} />
  return <EditForm key={step.member.updated_at} {...step} {...props} />
}

/** One step of an edit, and its successor. */
type StepProps<K extends Step["is"]> = Omit<Extract<Step, { is: K }>, "is"> & {
  draftKey: string
  onNext: (step: Step) => void
  onClose: () => void
}

/** A member's fields. Only changed ones are sent. */
function EditForm({ member, typed, draftKey, onNext, onClose }: StepProps<"form">) {
  const base = toFormValues(member)
  const client = useQueryClient()
  const update = useUpdateMember(member.id)
  const form = useAppForm<EditValues, EditValues>({
    schema: () => editSchema(base),
    values: base,
    typed,
    draft: { key: draftKey, shape: editValues },
  })
  const { control } = form.methods
  const now: EditValues = { ...base, ...useWatch({ control, compute: (values: EditValues) => values }) }
  const changes = getChanges(base, now)
  const changed = changedFieldsText(changes)
  const name = fullName(member)

  const save = async (values: EditValues) => {
    try {
      const sent = getChanges(base, values)
      const saved = await update.mutateAsync({ changes: sent, seen: member.updated_at })
      form.dropDraft()
      if (isPlain(saved)) notify(savedNotice(client, member, saved.member, sent))
      onNext({ is: "saved", before: member, saved })
    } catch (error) {
      const current = currentOf(error)
      if (current === null) throw error
      onNext({ is: "conflict", before: base, now: current, yours: values })
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
      disabled={changed === ""}
      action={changed === "" ? "No changes" : `Save ${changed}`}
      running={`Saving ${changed}`}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={20}>
        <TextField control={control} name="first_name" label="First name" first />
        <TextField control={control} name="last_name" label="Last name" />
      </SimpleGrid>
      <Stack gap={4} fz="var(--l-fs-ui)" className="wrap-anywhere">
        <span className="l-medium">E-mail</span>
        <span>{member.email ?? "None"}</span>
        <span className="caption">E-mail can’t be changed.</span>
      </Stack>
      {memberDetailNames.map((field) => {
        const { label, inputType, exact } = memberDetails[field]
        const props = { label, type: inputType, exact }
        return <TextField key={field} control={control} name={field} {...props} optional />
      })}
      <SelectField control={control} name="status" label="Status" {...statusChoices(member)} />
      <MetadataField control={control} name="metadata" label="Custom fields" optional />
    </DrawerForm>
  )
}

/** Active and inactive are offered; a read-only status is shown and stays until one of them is chosen. */
function statusChoices(member: Member) {
  const settable = settableMemberStatuses.map((value) => ({ value, label: statusText("member", value).word }))
  if (settableStatus(member) !== null) return { options: settable }
  const word = member.status ? statusText("member", member.status).word : "None"
  return {
    options: [{ value: "", label: word }, ...settable],
    help: `${word} is set by the service. Once you choose another status, you can’t set it back.`,
    optional: true,
  }
}

/** Another user changed the same fields: both versions by field. None is preselected. */
function ConflictDrawer({ before, now, yours, onNext, onClose }: StepProps<"conflict">) {
  const theirs = toFormValues(now)
  const versions = { before, theirs, yours }
  const conflicts = findConflicts(versions)
  const [choices, setChoices] = useState<Choices>({})
  const open = conflicts.filter((field) => choices[field] === undefined).length
  return (
    <SideDrawer
      title={`Edit ${fullName(now)}`}
      wide
      onClose={onClose}
      foot={
        <Button
          variant="filled"
          size="md"
          fullWidth
          disabled={open > 0}
          onClick={() => onNext({ is: "form", member: now, typed: withChoices(versions, choices) })}
        >
          {open > 0 ? `${open} left to resolve` : "Continue with these values"}
        </Button>
      }
    >
      {/* Not on Close, which the second Enter of a save would press. */}
      <div tabIndex={-1} data-autofocus>
        <Notice tone="warning" title="Someone changed this member while you were editing">
          {conflicts.length === 0
            ? "None of your fields is affected. Continue and save again."
            : "Your change wasn’t sent and is kept here. Choose a value for each field below; your other changes are kept."}
        </Notice>
      </div>
      {conflicts.map((field) => (
        <OptionCards
          key={field}
          legend={<span className="l-medium">{fieldLabels[field]}</span>}
          value={choices[field]}
          onChange={(side) => setChoices({ ...choices, [field]: side })}
          options={(["theirs", "yours"] as const).map((side) => ({
            value: side,
            label: <span className="caption">{side === "theirs" ? "Theirs (current record)" : "Yours"}</span>,
            help: <Version value={versions[side][field]} />,
          }))}
        />
      ))}
    </SideDrawer>
  )
}

function Version({ value }: { value: EditValues[keyof EditValues] }) {
  const text =
    typeof value === "string" ? value : value.map((row) => `${row.key}: ${rowText(row)}`).join("\n")
  if (text === "") return <span className="text-muted">Empty</span>
  return <span style={{ whiteSpace: "pre-wrap" }}>{text}</span>
}

/** Whether the service saved everything as sent: then a notification is enough. */
function isPlain({ missing, notRemoved }: SavedMember): boolean {
  return missing.length === 0 && notRemoved.length === 0
}

/** The notification of saved changes, with an undo that is refused for fields changed since. */
function savedNotice(
  client: QueryClient,
  before: Member,
  saved: Member,
  sent: UpdateMemberBody,
): Notification {
  const { id } = saved
  const back = undoChanges(before, saved, sent)
  const undo = async (): Promise<Omit<Notification, "id">> => {
    const undone = await updateMember(client, id, { changes: back ?? {}, seen: saved.updated_at })
    return isPlain(undone)
      ? { tone: "success", title: "Changes undone", text: fullName(undone.member) }
      : {
          tone: "warning",
          title: "Not all changes are undone",
          text: "The service kept part of the custom fields.",
        }
  }
  const text = `${fullName(saved)}: ${changedFieldsText(sent)}`
  return { id: `member-edit ${id}`, tone: "success", title: "Changes saved", text, undo: back && undo }
}

function EditOutcome({ before, saved, onNext, onClose }: StepProps<"saved">) {
  const { member, missing, notRemoved } = saved
  const name = fullName(member)
  const isRead = !isPlain(saved)
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    if (!isRead) leave()
  }, [isRead])
  return (
    <SideDrawer
      title={`Edit ${name}`}
      wide
      onClose={onClose}
      foot={
        <SimpleGrid cols={2} spacing={8}>
          <Button size="md" onClick={() => onNext({ is: "form", member })}>
            Edit again
          </Button>
          <Button size="md" variant="filled" onClick={onClose} data-autofocus>
            Done
          </Button>
        </SimpleGrid>
      }
    >
      <Outcome word="Saved">Changes saved</Outcome>
      {missing.length > 0 && (
        <Notice tone="warning" title={`${theyAre(missing)} not saved as sent`}>
          The service confirmed the change, but the saved record differs. Check the custom fields, or ask the
          program administrator what the service keeps.
        </Notice>
      )}
      {notRemoved.length > 0 && (
        <Notice tone="warning" title={`${theyAre(notRemoved)} still there after removal`}>
          The service seems to merge custom fields instead of replacing them. Set the value to an empty text
          instead.
        </Notice>
      )}
      <OutcomeFacts
        facts={savedChanges(before, member).map(([label, from, to]) => [
          label,
          <Group key={label} gap={8}>
            <span className="text-muted">{asText(from) || "Empty"}</span>
            <IconArrowRight size={14} stroke={2} aria-label="now" />
            <b>{asText(to) || "Empty"}</b>
          </Group>,
        ])}
      />
    </SideDrawer>
  )
}

function theyAre(names: readonly string[]): string {
  return `${listed(names)} ${names.length === 1 ? "is" : "are"}`
}

type Change = readonly [label: string, from: unknown, to: unknown]

function savedChanges(before: Member, after: Member): readonly Change[] {
  const { metadata: _metadata, ...labels } = fieldLabels
  const was = before.metadata ?? {}
  const is = after.metadata ?? {}
  const fields = Object.keys(labels) as (keyof typeof labels)[]
  const keys = Object.keys({ ...was, ...is })
  return [
    ...fields.map((field): Change => [labels[field], before[field] ?? "", after[field] ?? ""]),
    ...keys.map((key): Change => [key, was[key] ?? "", is[key] ?? ""]),
  ].filter(([, from, to]) => !sameValue(from, to))
}
