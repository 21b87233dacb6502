import * as z from "zod/mini"
import { job, rowStates } from "./job.ts"
import { jobKindDescriptors, type JobKind, jobKinds } from "./job-kinds.ts"
import { memberBaseline } from "./kinds/member-update.ts"
import { orderBaseline, orderConflict } from "./kinds/order-update.ts"
import { referenceHolder } from "./cards.ts"
import { limits } from "./limits.ts"
import { idText, paging, plainText, searchText } from "./program/common.ts"
import { can, type Role } from "./roles.ts"
import { isRowOutcomeCode, rowOutcomeMessages } from "./row-outcomes.ts"

export const rowDecision = z.object({
  decision: z.enum(["happened", "resend", "leave"]),
  upstream_id: z.nullable(z.string()),
  at: z.string(),
  by: z.object({ id: z.string(), name: z.string() }),
})
export type RowDecision = z.output<typeof rowDecision>

const reason = z.optional(plainText(limits.reason))

/** Body of `POST /api/jobs/{id}/rows/{row}/decision`. */
export const decisionBody = z.discriminatedUnion("decision", [
  z.strictObject({
    decision: z.literal("happened"),
    upstream_id: z.optional(idText()),
    reason,
  }),
  z.strictObject({ decision: z.literal("resend"), reason }),
  z.strictObject({ decision: z.literal("leave"), reason }),
])
export type DecisionBody = z.output<typeof decisionBody>

/** One decision for several rows; `lookup`: Laurel looks each of them up again. */
const groupDecisions = ["lookup", "resend", "leave", "happened"] as const
export type GroupDecision = (typeof groupDecisions)[number]

/**
 * Body of `POST /api/jobs/{id}/decisions`: every undecided row with one `cause` (the code of its outcome), or these
 * `rows`. `happened` links the rows for which the service shows exactly one entry that is no other row's.
 */
export const groupDecisionBody = z
  .strictObject({
    cause: z.optional(plainText(limits.shortText).check(z.minLength(1))),
    rows: z.optional(
      z.array(z.int().check(z.minimum(1))).check(z.minLength(1), z.maxLength(limits.jobRowsAtOnce)),
    ),
    decision: z.enum(groupDecisions),
    reason,
  })
  .check(
    z.refine(({ cause, rows }) => (cause === undefined) !== (rows === undefined), {
      path: ["cause"],
      error: "Give either cause or rows.",
    }),
  )
export type GroupDecisionBody = z.output<typeof groupDecisionBody>

/** Why rows of one job need a person, in `GET /api/jobs/{id}/causes`: undecided rows only. */
export const decisionCause = z.object({ code: z.string(), message: z.string(), rows: z.int() })
export type DecisionCause = z.output<typeof decisionCause>

/** Response of `POST /api/jobs/{id}/decisions`. */
export const groupDecisionResult = z.object({
  job,
  decided: z.int(),
  /** Unchanged rows, by reason. */
  undecided: z.array(z.object({ message: z.string(), rows: z.int() })),
  /** Rows that were not looked up within one request: undecided. */
  unchecked: z.array(z.int()),
})
export type GroupDecisionResult = z.output<typeof groupDecisionResult>

/** A row of another job that takes a row back, and how far it is. */
const reversingRow = z.object({ job: z.string(), row: z.int(), state: z.enum(rowStates) })

/** A record in a conflict, as far as the reader may see it. */
const conflictSide = z.object({ ...orderBaseline.shape, ...memberBaseline.shape })
export const rowConflict = z.extend(orderConflict, {
  before: conflictSide,
  theirs: conflictSide,
  yours: conflictSide,
})
export type RowConflict = z.output<typeof rowConflict>

/** One row of a job. `input` is what was asked, as far as the reader may see it. */
export const jobRow = z.object({
  row: z.int(),
  line: z.optional(z.int()),
  state: z.enum(rowStates),
  input: z.record(z.string(), z.unknown()),
  outcome: z.nullable(z.object({ code: z.string(), message: z.string() })),
  upstream_id: z.nullable(z.string()),
  attempts: z.int(),
  /** Of a planned row: certainly not carried out, so it may be edited while its job is paused. */
  can_edit: z.optional(z.boolean()),
  decision: z.optional(rowDecision),
  conflict: z.optional(rowConflict),
  taken_by: z.optional(referenceHolder),
  member: z.nullable(z.object({ id: z.nullable(z.string()), label: z.nullable(z.string()) })),
  /** ISO 8601, Laurel's clock. */
  sent_at: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
  next_look_at: z.nullable(z.string()),
  /** Of a confirmed row: its own response said so, or it was found in the service's records. */
  known_by: z.optional(z.enum(["answer", "look"])),
  balance_after: z.nullable(z.int()),
  /** Of a confirmed row: the service answered with success, and the ledger does not show it yet. */
  not_in_ledger: z.optional(z.boolean()),
  /** Of a row of a reversal: the reversed row. */
  reverses: z.optional(z.object({ job: z.string(), row: z.int() })),
  reversed_by: z.optional(reversingRow),
})
export type JobRow = z.output<typeof jobRow>

/** Body of `POST /api/ledger/origins`: ids of ledger entries. */
export const ledgerOriginsBody = z.strictObject({
  ids: z.array(idText()).check(z.minLength(1), z.maxLength(limits.perPage.max)),
})

/** Which row of Laurel's made a ledger entry, and who made its job. */
export const ledgerOrigin = z.object({
  transaction_id: z.string(),
  job: z.object({ id: z.string(), kind: z.enum(jobKinds), title: z.nullable(z.string()) }),
  row: z.int(),
  line: z.optional(z.int()),
  created_by: z.object({ id: z.string(), name: z.string() }),
  can_reverse: z.boolean(),
  /** What a reversal would take back: less than the entry where the award was corrected. */
  reversible_points: z.optional(z.int()),
  reverses: jobRow.shape.reverses,
  reversed_by: jobRow.shape.reversed_by,
})
export type LedgerOrigin = z.output<typeof ledgerOrigin>

/** Data of a job event (`liveEvent`): the job as its receiver may see it. */
export const jobEventData = z.object({
  job: z.optional(job),
  /** For the job's maker: its only row, or the last rows of a job of the ship desk. */
  rows: z.optional(z.array(jobRow)),
})
export type JobEventData = z.output<typeof jobEventData>

/** Query of `GET /api/jobs/{id}/rows`. `attention`: undecided absent and conflict rows. */
export const rowListQuery = z.strictObject({
  state: z.optional(z.enum([...rowStates, "attention"])),
  ...paging,
  search: z.optional(searchText()),
})
export type RowListQuery = z.output<typeof rowListQuery>

/** One thing the service shows that could be the row's effect. */
export const candidate = z.object({
  upstream_id: z.string(),
  created_at: z.nullable(z.string()),
  points: z.nullable(z.int()),
  text: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  /** ms from sending to this entry by the service's clock; negative: it was there before. */
  after_ms: z.nullable(z.number()),
  has_batch_code: z.boolean(),
  claimed_by: z.nullable(z.object({ job: z.string(), row: z.int() })),
})
export type Candidate = z.output<typeof candidate>

/** Response of `GET /api/jobs/{id}/rows/{row}/candidates`: everything a person needs to decide. */
export const rowEvidence = z.object({
  row: jobRow,
  call_ended: z.nullable(z.string()),
  looked_at: z.array(z.string()),
  balance: z.nullable(z.object({ balance: z.int(), pending: z.nullable(z.int()) })),
  /** Whether the history shows effects of ours that got their response after this row's call. */
  canary: z.enum(["found", "not-yet", "none"]),
  candidates: z.array(candidate),
  resend: z.object({ allowed: z.boolean(), why_not: z.nullable(z.string()) }),
})
export type RowEvidence = z.output<typeof rowEvidence>

/** Fields of a row's input that `role` sees. */
function visibleInput(kind: JobKind, role: Role): "all" | readonly string[] {
  return role === "fulfilment" || role === "viewer" ? jobKindDescriptors[kind].visibleInput[role] : "all"
}

/** Whether `role` sees a kind's rows whole. Only then may they be searched: a search that finds tells as much. */
export function seesFullRows(kind: JobKind, role: Role): boolean {
  return visibleInput(kind, role) === "all"
}

/** Replaces a service's message, which may contain the e-mail it refused. */
const refusedWords =
  "The service refused this row. Its message may name a person, so it’s hidden from your role."

/** A row's outcome as `role` may read it. */
export function redactOutcome(
  kind: JobKind,
  role: Role,
  { code, message }: { readonly code: string; readonly message: string },
): { code: string; message: string } {
  if (seesFullRows(kind, role)) return { code, message }
  return { code, message: isRowOutcomeCode(code) ? rowOutcomeMessages[code] : refusedWords }
}

/** The row as `role` may see it. The original is not changed. */
export function redactRow(kind: JobKind, role: Role, row: JobRow): JobRow {
  const shown = visibleInput(kind, role)
  if (shown === "all") return row
  const { member, outcome } = row
  // Fulfilment knows members by name, never by e-mail; to viewers a job's people stay unnamed.
  const isNamed = role === "fulfilment" && member?.label?.includes("@") === false
  return {
    ...row,
    input: pickShown(row.input, shown),
    ...(row.conflict && { conflict: redactConflict(row.conflict, shown) }),
    outcome: outcome && redactOutcome(kind, role, outcome),
    member: member && { id: member.id, label: isNamed ? member.label : null },
    balance_after: can(role, "ledger.read") ? row.balance_after : null,
  }
}

function redactConflict(conflict: RowConflict, shown: readonly string[]): RowConflict {
  const { before, theirs, yours, ...rest } = conflict
  return {
    ...rest,
    before: pickShown(before, shown),
    theirs: pickShown(theirs, shown),
    yours: pickShown(yours, shown),
  }
}

function pickShown<Value>(fields: Readonly<Record<string, Value>>, shown: readonly string[]) {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => shown.includes(field)))
}

/** What could be a row's effect, as `role` may see it: texts and references may name people. */
export function redactCandidate(kind: JobKind, role: Role, candidate: Candidate): Candidate {
  if (seesFullRows(kind, role)) return candidate
  const points = can(role, "ledger.read") ? candidate.points : null
  return { ...candidate, points, text: null, reference: null }
}
