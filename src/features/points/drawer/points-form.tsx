import { IconChevronRight } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useFormState, useWatch, type Control } from "react-hook-form"
import { budgetQuery } from "../../../api/status.ts"
import { useAmountRefusal } from "../../../forms/amount-limits.tsx"
import { DrawerForm } from "../../../forms/drawer-form.tsx"
import { MembersSee } from "../../../forms/members-see.tsx"
import { MetadataField } from "../../../forms/metadata/metadata-field.tsx"
import { needsSubmissionNote, SubmissionNote } from "../../../forms/submission-note.tsx"
import { TextField } from "../../../forms/text-field.tsx"
import { useSendJob } from "../../../forms/use-send-job.ts"
import { useDeskForm } from "../../../forms/use-desk-form.ts"
import { cost, formatCount } from "../../../lib/format.ts"
import { ModeChoice } from "../mode-choice.tsx"
import type { PointsAct } from "../points-search.ts"
import { bulkRequests } from "../send-cost.ts"
import { AmountField } from "./amount-field.tsx"
import { BalanceAfter } from "./balance-after.tsx"
import { offersFor } from "./offers.ts"
import {
  emptyPoints,
  jobBodyOf,
  modeOf,
  pointsSchema,
  pointsValues,
  readPoints,
  type PointsEntry,
  type PointsValues,
} from "./points-model.ts"
import { effectWords, notDoneWords, pointsTitles } from "./points-words.ts"
import classes from "./points-fields.module.css"
import { ReasonField } from "./reason-field.tsx"
import { Recipients } from "./recipients.tsx"
import { useRecipients } from "./use-members.ts"

interface PointsFormProps {
  act: PointsAct
  memberIds: readonly string[]
  /** Who sends it: nobody meets another's draft. */
  userId: string
  /** What the fields begin with when something is corrected. */
  typed: PointsValues | undefined
  onMembers: (ids: readonly string[]) => void
  onSent: (jobId: string) => void
  onClose: () => void
}

/** The fields of an award or a deduction, with what it comes to and what it costs. */
export function PointsForm(props: PointsFormProps) {
  const { act, memberIds, userId, typed, onMembers, onSent, onClose } = props
  const recipients = useRecipients(act, memberIds)
  const several = memberIds.length > 1
  // Leaving somebody out of several keeps what is typed.
  const [draftKey] = useState(`${userId}:points-${act}:${several ? "several" : memberIds[0]}`)
  const send = useSendJob(`${userId}:points-${act}:${memberIds.join(",")}`)
  const balances = recipients.map(({ balance }) => balance)
  const least = balances.every((each) => each !== undefined) ? Math.min(...balances) : undefined
  const refusalOf = useAmountRefusal(act, send.error)
  const form = useDeskForm<PointsValues, PointsEntry>({
    schema: pointsSchema(act === "deduct" ? least : undefined, (each) =>
      refusalOf(each, each * memberIds.length),
    ),
    values: emptyPoints,
    typed,
    draft: { key: draftKey, shape: pointsValues },
  })
  const { control, setValue } = form.methods
  const [typedPoints, reason, reference, metadata, mode] = useWatch({
    control,
    name: ["points", "reason", "reference", "metadata", "mode"],
  })
  const points = readPoints(typedPoints)
  const names = recipients.map(({ name }) => name)
  const words = effectWords(act, points, names)
  const inBulk = act === "award" && several && modeOf({ mode, reference, metadata }) === "bulk"
  const requests = inBulk ? bulkRequests(memberIds.length) : memberIds.length

  return (
    <DrawerForm
      title={pointsTitles[act]}
      form={form}
      onClose={onClose}
      onSubmit={async (entry) => {
        const job = await send.mutateAsync(jobBodyOf(act, memberIds, entry))
        form.dropDraft()
        onSent(job.id)
      }}
      submitError={send.error}
      {...(needsSubmissionNote(send.error)
        ? { errorNote: <SubmissionNote error={send.error} button={words.action} /> }
        : {})}
      busy={send.isPending}
      notDone={notDoneWords[act]}
      action={words.action}
      running={words.running}
      forecast={<BalanceAfter act={act} recipients={recipients} points={points} />}
      costs={useCostLine(requests)}
    >
      <Recipients
        recipients={recipients}
        needs={act === "deduct" && several && points > 0 ? points : undefined}
        onRemove={(id) => onMembers(memberIds.filter((each) => each !== id))}
      />
      <AmountField
        control={control}
        first
        offers={offersFor(act, several ? undefined : least)}
        {...(act === "deduct" && several ? { help: "From each of them." } : {})}
        {...(act === "award" && several ? { help: "For each of them." } : {})}
      />
      <ReasonField control={control} />
      <MembersSee reason={reason} sent={act === "deduct" ? "deduct" : inBulk ? "bulk" : "single"} />
      {act === "award" && (
        <TextField
          control={control}
          name="reference"
          label="Reference"
          optional
          placeholder="Automatic"
          help={several ? "The same for all of them. Sent one by one." : "For example, an invoice number."}
        />
      )}
      {act === "award" && <MoreFields control={control} />}
      {act === "award" && several && (
        <ModeChoice
          value={modeOf({ mode, reference, metadata })}
          onChange={(chosen) => setValue("mode", chosen)}
          requests={{ bulk: bulkRequests(memberIds.length), single: memberIds.length }}
          noBulk={
            reference.trim() === ""
              ? metadata.length === 0
                ? undefined
                : "Batched requests can’t carry metadata. Remove it first."
              : "Batched requests can’t carry a reference. Remove it first."
          }
        />
      )}
    </DrawerForm>
  )
}

/** What an award rarely needs, folded: keys and values that stay with it in the ledger. */
function MoreFields({ control }: { control: Control<PointsValues, unknown, PointsEntry> }) {
  const metadata = useWatch({ control, name: "metadata" })
  const { errors } = useFormState({ control })
  const [open, setOpen] = useState(metadata.length > 0)
  return (
    <details
      className={classes.more}
      // What is wrong in here must be seen.
      open={open || errors.metadata !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
        More
        {metadata.length > 0 && (
          <span className="text-muted truncate">{metadata.map(({ key }) => key).join(", ")}</span>
        )}
      </summary>
      <MetadataField
        control={control}
        name="metadata"
        label="Metadata"
        optional
        help="Free-form data such as a campaign code. Stays with the award."
      />
    </details>
  )
}

/** "1 request, 42 left this minute"; with the time for more than one. */
function useCostLine(requests: number): string {
  const { data } = useQuery(budgetQuery)
  const left = data?.find(({ api }) => api === "program")?.left
  if (left === undefined) return cost(requests)
  const what = requests === 1 ? "1 request" : cost(requests)
  return `${what}, ${formatCount(left)} left this minute`
}
