import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { sendRequests } from "../../../contract/estimates.ts"
import type { AwardMode } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { useState, type ReactNode } from "react"
import { useWatch, type Control } from "react-hook-form"
import { memberQuery } from "../../api/members.ts"
import { balanceQuery, useBalanceAwaited } from "../../api/points.ts"
import { TextField } from "../../forms/fields.tsx"
import { JobDrawer, JobForm, useDraftKey, useJobForm } from "../../forms/job-drawer.tsx"
import { LedgerTextPreview } from "../../forms/job-reason.tsx"
import { MemberPicker } from "../../forms/type-ahead.tsx"
import { fullName } from "../../lib/names.ts"
import { SideDrawer } from "../../ui/side-drawer.tsx"
import { ModeChoice } from "./mode-choice.tsx"
import {
  AmountField,
  BalanceAfter,
  MoreFields,
  ReasonField,
  Recipients,
  StatusWarning,
} from "./points-fields.tsx"
import {
  effectLabels,
  emptyPoints,
  toJobBody,
  sendingMode,
  pointsSchema,
  pointsValues,
  readPoints,
  overdraftWarning,
  suggestedAmounts,
  type PointsEntry,
  type PointsValues,
  type Recipient,
} from "./points-model.ts"
import { PointsOutcome, pointsFollowed } from "./points-outcome.tsx"
import type { ActSearch, PointsAct } from "./points-search.ts"

/** Awards or deducts points in a drawer above any page: members, form, and the outcome in its place. */
export function PointsDrawer() {
  const { act, memberIds, outcome, go, close } = usePointsAddress()
  return (
    <JobDrawer<PointsValues>
      kind={act}
      jobId={outcome}
      onClose={close}
      renderForm={(typed) =>
        memberIds.length === 0 ? (
          <SideDrawer title={jobKindDescriptors[act].labels.title} onClose={close}>
            <MemberPicker label="Member" onPick={({ id }) => go({ for: id })} />
          </SideDrawer>
        ) : (
          <PointsForm typed={typed} />
        )
      }
      renderOutcome={(jobId, retype) => (
        <PointsOutcome
          jobId={jobId}
          onForm={(again, ids, values) => {
            retype(values)
            go({ act: again, for: oneOrMany(ids), outcome: undefined })
          }}
          onOther={(other) => go({ outcome: other })}
          onClose={close}
        />
      )}
    />
  )
}

const route = getRouteApi("/_app")

/** Reads and changes the drawer's search params. Steps inside it replace the URL, so Back closes it. */
function usePointsAddress() {
  const { act: action, for: named = [], outcome } = route.useSearch()
  const act: PointsAct = action === "deduct" ? "deduct" : "award"
  const navigate = useNavigate()
  const go = (change: ActSearch) =>
    void navigate({ to: ".", search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return {
    act,
    memberIds: [...new Set([named].flat())],
    outcome,
    go,
    close: () => go({ act: undefined, for: undefined, outcome: undefined }),
  }
}

/** Undefined while one of the balances is unknown. */
function lowestBalance(recipients: readonly Recipient[]): number | undefined {
  const balances = recipients.map(({ balance }) => balance)
  return balances.every((each) => each !== undefined) ? Math.min(...balances) : undefined
}

function oneOrMany(ids: readonly string[]): ActSearch["for"] {
  return ids.length > 1 ? [...ids] : ids[0]
}

/** Returns why an amount for each of the members must not be sent, if so. */
const refusalFor =
  (refusal: (largest: number, sum: number) => string | undefined, members: number) => (each: number) =>
    refusal(each, each * members)

function PointsForm({ typed }: { typed: PointsValues | undefined }) {
  const { act, memberIds, go, close } = usePointsAddress()
  const client = useQueryClient()
  const recipients = useRecipients(act, memberIds)
  const several = memberIds.length > 1
  const [only] = recipients
  // Removing one of several members preserves the draft.
  const [about] = useState(`points-${act}:${several ? "several" : memberIds[0]}`)
  const lowest = lowestBalance(recipients)
  const job = useJobForm<PointsValues, PointsEntry>({
    kind: act,
    draftKey: useDraftKey(about),
    submission: useDraftKey(`points-${act}:${memberIds.join(",")}`),
    schema: (refusal) => pointsSchema(refusalFor(refusal, memberIds.length)),
    values: emptyPoints,
    typed,
    shape: pointsValues,
  })
  const { control, setValue } = job.form.methods
  const [typedPoints, reason, reference, metadata, mode] = useWatch({
    control,
    name: ["points", "reason", "reference", "metadata", "mode"],
  })
  const points = readPoints(typedPoints, refusalFor(job.refusal, memberIds.length))
  const warning = act === "deduct" ? overdraftWarning(lowest, points) : undefined
  const chosenMode = sendingMode({ mode, reference, metadata })
  const inBulk = act === "award" && several && chosenMode === "bulk"
  const requestsOf = (chosen: AwardMode) => sendRequests({ kind: act, mode: chosen, rows: memberIds.length })
  return (
    <JobForm
      job={job}
      onClose={close}
      body={(entry) => toJobBody(act, memberIds, entry)}
      followed={
        only === undefined || several ? undefined : (entry) => pointsFollowed(client, act, entry.points, only)
      }
      onSent={(outcome) => go({ outcome })}
      {...effectLabels(
        act,
        points,
        recipients.map(({ name }) => name),
      )}
      preview={<BalanceAfter act={act} recipients={recipients} points={points} />}
      requests={requestsOf(inBulk ? "bulk" : "single")}
      lane={several ? "jobs" : "people"}
    >
      <Recipients
        recipients={recipients}
        needs={act === "deduct" && several && points > 0 ? points : undefined}
        onRemove={(id) => go({ for: oneOrMany(memberIds.filter((each) => each !== id)) })}
      />
      <StatusWarning recipients={recipients} />
      <AmountField
        control={control}
        suggested={suggestedAmounts(act, several ? undefined : lowest)}
        warning={warning}
        help={several ? (act === "deduct" ? "From each of them." : "For each of them.") : undefined}
      />
      <ReasonField control={control} act={act} />
      <LedgerTextPreview reason={reason} sent={act === "deduct" ? "deduct" : inBulk ? "bulk" : "single"} />
      {act === "award" && (
        <AwardFields control={control} members={memberIds.length}>
          <ModeChoice
            value={chosenMode}
            onChange={(chosen) => setValue("mode", chosen)}
            requests={{ bulk: requestsOf("bulk"), single: requestsOf("single") }}
            noBulk={whyNoBulk(reference, metadata)}
          />
        </AwardFields>
      )}
    </JobForm>
  )
}

/** The fields that only awards have. `children`: the choice of the mode, shown for several members. */
function AwardFields(props: {
  control: Control<PointsValues, unknown, PointsEntry>
  members: number
  children: ReactNode
}) {
  const { control, members, children } = props
  const several = members > 1
  return (
    <>
      <TextField
        control={control}
        name="reference"
        exact
        label="Reference"
        optional
        placeholder="Automatic"
        help={several ? "The same for all of them. Sent one by one." : "For example, an invoice number."}
      />
      <MoreFields control={control} />
      {several && children}
    </>
  )
}

function whyNoBulk(reference: string, metadata: PointsValues["metadata"]): string | undefined {
  const lost = (reference.trim() !== "" && "a reference") || (metadata.length > 0 && "custom fields")
  return lost ? `Sending together can’t keep ${lost}. Remove it first.` : undefined
}

/**
 * The members in the URL, usually cached by a list or a member's page. Before a deduction from one member the balance
 * is read from the service.
 */
function useRecipients(act: PointsAct, ids: readonly string[]): readonly Recipient[] {
  const chosen = useQueries({ queries: ids.map((id) => memberQuery(id)) })
  const single = ids.length === 1
  const fresh = act === "deduct"
  const first = chosen[0]?.data
  // For an award the record's balance is enough; a record without one is read.
  const isRead = single && (fresh || (first !== undefined && typeof first.data.points_balance !== "number"))
  useBalanceAwaited(ids[0] ?? "none", isRead)
  const balance = useQuery({
    ...balanceQuery(ids[0] ?? "none", { fresh }),
    enabled: isRead,
    ...(fresh ? { staleTime: 0 } : {}),
    refetchOnWindowFocus: false,
  })
  // A balance cached by another page may be older than the record.
  const read = isRead ? balance.data?.data.balance : undefined
  return ids.map((id, at) => {
    const { data, error = null } = chosen[at] ?? {}
    const member = data?.data
    const name = member === undefined ? id : fullName(member)
    return { id, name, member, balance: read ?? member?.points_balance ?? undefined, error }
  })
}
