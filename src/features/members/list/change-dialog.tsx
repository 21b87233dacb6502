import { Group, NativeSelect, TextInput } from "@mantine/core"
import { useState } from "react"
import type { CreateJobBody, Job } from "../../../../contract/job.ts"
import { memberFieldValue, type MemberUpdateField } from "../../../../contract/kinds/member-update.ts"
import { limits } from "../../../../contract/limits.ts"
import { memberDetailNames, memberDetails, memberFields } from "../../../../contract/program/member-fields.ts"
import { type Member, settableMemberStatuses } from "../../../../contract/program/member.ts"
import { useSession } from "../../../api/session.ts"
import { followJob } from "../../../forms/followed-jobs.ts"
import { JobConfirmDialog } from "../../../forms/job-confirm.tsx"
import { useSendJob } from "../../../forms/job-submission.tsx"
import { counted, formatCount, timeNeeded, timeSentence } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { SelectChevron } from "../../../ui/field-parts.tsx"
import { notify } from "../../../ui/notify.tsx"
import { jobAddress } from "../../../ui/record-link.tsx"
import { statusText } from "../../../ui/status.tsx"

/** Details that many members have in common; a phone number is one person's. */
const shared = memberDetailNames.filter((name) => memberDetails[name].constant)
const offered = [...shared, "status"] as const

/** What the dialog changes: a status, or the field that is chosen in it. */
export type MemberChange = "active" | "inactive" | "field"

/** Changes one field of the selected members, as a job that can be followed and undone. */
export function ChangeDialog(props: {
  members: readonly Member[]
  change: MemberChange
  onClose: (started: boolean) => void
}) {
  const { change, onClose } = props
  // The list may be refetched meanwhile; the dialog stays with the same members.
  const [members] = useState(props.members)
  const isStatus = change !== "field"
  const [field, setField] = useState<MemberUpdateField>(isStatus ? "status" : (offered[0] ?? "status"))
  const [typed, setTyped] = useState<string>()
  const send = useSendJob(`${useSession().user.id}:members-change`)
  const value = isStatus ? change : typed?.trim()
  const changed =
    value === undefined ? [] : members.filter((member) => (memberFieldValue(member, field) ?? "") !== value)
  const action = value === undefined ? "Choose a value" : actionText(field, value, changed.length)
  return (
    <JobConfirmDialog
      title={
        isStatus ? actionText(field, change, members.length) : `Edit ${counted(members.length, "member")}`
      }
      action={action}
      tone="plain"
      ready={changed.length > 0}
      send={send}
      what="No member was changed."
      onClose={() => onClose(false)}
      onConfirm={() => {
        if (value === undefined) return
        const onSuccess = (job: Job) => {
          tellStarted(job, changed, action)
          onClose(true)
        }
        send.mutate(changeTo(field, value, changed, action), { onSuccess })
      }}
    >
      {!isStatus && (
        <FieldValue
          field={field}
          value={typed}
          onField={(chosen) => {
            setField(chosen)
            setTyped(undefined)
          }}
          onValue={setTyped}
        />
      )}
      {value !== undefined && (
        <p className="text-secondary" aria-live="polite">
          {consequence(field, members.length, changed.length)}
        </p>
      )}
    </JobConfirmDialog>
  )
}

function FieldValue(props: {
  field: MemberUpdateField
  value: string | undefined
  onField: (field: MemberUpdateField) => void
  onValue: (value: string | undefined) => void
}) {
  const { field, value, onField, onValue } = props
  return (
    <Group gap={12} align="flex-start" grow>
      <NativeSelect
        label="Field"
        value={field}
        data={offered.map((name) => ({ value: name, label: memberFields[name].label }))}
        rightSection={<SelectChevron />}
        onChange={({ currentTarget }) => {
          const chosen = offered.find((name) => name === currentTarget.value)
          if (chosen !== undefined) onField(chosen)
        }}
      />
      {field === "status" ? (
        <NativeSelect
          label="New status"
          value={value ?? ""}
          data={[{ value: "", label: "Choose" }, ...settable]}
          rightSection={<SelectChevron />}
          onChange={({ currentTarget }) => onValue(currentTarget.value || undefined)}
        />
      ) : (
        <TextInput
          label="New value"
          description="Empty clears it."
          maxLength={limits.shortText}
          value={value ?? ""}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Group>
  )
}

const settable = settableMemberStatuses.map((value) => ({ value, label: statusText("member", value).word }))

/** "Deactivate 3 members", "Set the company of 3 members", "Clear the company of 3 members". */
function actionText(field: MemberUpdateField, value: string, count: number): string {
  const members = counted(count, "member")
  if (field === "status") return `${value === "inactive" ? "Deactivate" : "Reactivate"} ${members}`
  return `${value === "" ? "Clear" : "Set"} the ${memberFields[field].label.toLowerCase()} of ${members}`
}

function consequence(field: MemberUpdateField, all: number, changed: number): string {
  if (changed === 0) return "They all have this value already, so there’s nothing to send."
  const already = all - changed
  const same =
    already === 1
      ? "One has this value already and isn’t sent. "
      : `${formatCount(already)} have this value already and aren’t sent. `
  const keeps = field === "status" ? "Points and history are kept. " : ""
  const time = timeSentence(timeNeeded(changed * 2, changed > 1 ? "jobs" : "people"))
  return `${keeps}${already > 0 ? same : ""}${time}You can leave meanwhile, and undo it on the job’s page.`
}

function changeTo(
  field: MemberUpdateField,
  value: string,
  members: readonly Member[],
  title: string,
): CreateJobBody {
  return {
    kind: "member-update",
    rows: members.map((member) => ({
      member_id: member.id,
      [field]: value,
      expected: { [field]: member[field] ?? null },
    })),
    options: { title },
  }
}

/** Notifies that the job was started; the outcome of a single member replaces this notification. */
function tellStarted({ id }: Job, members: readonly Member[], title: string): void {
  const page = jobAddress(id)
  notify({
    id,
    tone: "info",
    title,
    text: "It continues if you leave, and nothing is overwritten that someone else changed meanwhile.",
    link: { to: page, label: "View" },
    seenAt: page,
  })
  const [only, ...more] = members
  if (only === undefined || more.length > 0) return
  const link = { to: page, label: "View" }
  followJob(id, { doing: title, confirmed: () => ({ title: `${fullName(only)} was changed`, link }) })
}
