import type { AuditChange } from "../../contract/audit.ts"
import type {
  GroupDecisionResult,
  GroupDecision,
  GroupDecisionBody,
  RowDecision,
} from "../../contract/job-rows.ts"
import type { ActContext } from "../audit/audit-log.ts"
import { AppError, stored } from "../errors.ts"
import {
  isCandidate,
  isCancelled,
  checkResend,
  noRerun,
  requireWithinLimits,
  rerunChange,
  resendRefusals,
} from "./decide.ts"
import { type EngineContext, isKeyRefused, jobAct, requireJob, rowBatches } from "./engine-context.ts"
import { asPerson, earliestEffect, type JobContext, lookUp, filterUnclaimed } from "./job-kind.ts"
import type { JobRecord, RowChange, RowChanged, RowRecord } from "./job-store.ts"
import { jobContext } from "./kinds/kind-rules.ts"
import { lookUpAgain, storeDecision } from "./transitions.ts"

/** Time limit of lookups in one request, in ms; the rest is returned unchecked. Proxies wait a minute. */
const lookingMs = 20_000
const linksNamed = 150

/** The change of a row, or why it stays undecided; undefined: no time left to look it up. */
type Planned =
  { readonly change: RowChange; readonly linked: string | null } | { readonly why_not: string } | undefined

/**
 * Decides several rows, by their common cause or by number, with one reason and one audit entry. Rows that the decision
 * does not fit stay unchanged and are counted. Throws AppError 404, 409 and 422.
 */
export async function decideGroup(
  engine: EngineContext,
  requester: ActContext,
  id: string,
  { cause, rows: numbers, decision, reason }: GroupDecisionBody,
): Promise<Omit<GroupDecisionResult, "job"> & { readonly job: JobRecord }> {
  const { jobs } = engine.store
  const job = await requireJob(engine, id)
  const context = jobContext(engine, job)
  const rows = await rowsToDecide(context, cause, numbers)
  const undecided = new UndecidedRows()
  const unchecked: number[] = []
  const changes: { readonly row: RowRecord; readonly change: RowChange; readonly linked: string | null }[] =
    []
  const plan = planner(context, requester, decision)
  for (const row of rows) {
    const planned = await plan(row)
    if (planned === undefined) unchecked.push(row.row)
    else if ("why_not" in planned) undecided.add(planned.why_not)
    else changes.push({ row, ...planned })
  }
  const others = numbers === undefined ? 0 : new Set(numbers).size - rows.length
  if (others > 0) undecided.add("There is nothing to decide about this row.", others)

  const runsAgain = decision !== "leave" && decision !== "happened"
  const rerun = runsAgain ? await rerunChange(context, requester, decision === "resend") : noRerun
  const { again, amounts, startedAt } = rerun
  const changing = context.audit.together(
    (now: JobRecord, results: readonly RowChanged[]) => {
      const done = changes.filter((_, at) => results[at] === "changed")
      const noted: AuditChange[] = [
        { field: "decision", from: null, to: decision },
        ...(cause === undefined ? [] : [{ field: "cause", from: null, to: cause }]),
        { field: "rows", from: null, to: String(done.length) },
        ...done.flatMap(({ row, linked }) =>
          linked === null ? [] : [{ field: "upstream_id", from: `row ${row.line ?? row.row}`, to: linked }],
        ),
      ]
      return jobAct(requester, "job.decide", now, { note: reason, changes: noted.slice(0, linksNamed) })
    },
    (audit) =>
      jobs.changeRows(
        id,
        changes.map(({ change }) => change),
        again,
        amounts.most(startedAt),
        audit,
      ),
  )
  const results = changes.length === 0 ? [] : await stored(changing)
  // Over a limit no row is changed.
  await requireWithinLimits(rerun, job, results[0])
  for (const [at, result] of results.entries()) {
    if (result === "claimed") undecided.add("Its entry already belongs to another row.")
    else if (result !== "changed") undecided.add("Someone else just decided this row.")
    else await context.rules.onResolved?.(context, changes[at]?.row.row ?? 0)
  }
  if (results.includes("changed")) context.jobMoved(id)
  const decided = results.filter((result) => result === "changed").length
  return { job: await requireJob(engine, id), decided, undecided: undecided.list(), unchecked }
}

/** Counts of undecided rows by reason. */
class UndecidedRows {
  readonly #counts = new Map<string, number>()

  add(message: string, rows = 1): void {
    this.#counts.set(message, (this.#counts.get(message) ?? 0) + rows)
  }

  list(): GroupDecisionResult["undecided"] {
    return [...this.#counts].map(([message, rows]) => ({ message, rows }))
  }
}

/** Absent and conflict rows: the undecided ones with a cause, or those with these numbers that are undecided or left. */
async function rowsToDecide(
  { job, store }: JobContext,
  cause: string | undefined,
  numbers: readonly number[] | undefined,
): Promise<RowRecord[]> {
  const requested = new Set(numbers)
  const matches: RowRecord[] = []
  for await (const rows of rowBatches(store.jobs, job.id, ["absent", "conflict"])) {
    matches.push(
      ...rows.filter(({ row, outcome, decision }) =>
        cause === undefined
          ? requested.has(row) && (decision === null || decision.decision === "leave")
          : decision === null && outcome?.code === cause,
      ),
    )
  }
  return matches
}

function planner(context: JobContext, requester: ActContext, chosen: GroupDecision) {
  const { clock, job, rules, time } = context
  const { id, name } = requester.user
  const endsAt = clock.monotonic() + lookingMs
  let isRefused = false
  const decided = (
    row: RowRecord,
    decision: RowDecision["decision"],
    linked: string | null = null,
  ): Planned => {
    const by = { at: new Date(time.now()).toISOString(), by: { id, name } }
    return {
      change: storeDecision(rules, row, { decision, upstream_id: linked, ...by }, isCancelled(job)),
      linked,
    }
  }

  return async (row: RowRecord): Promise<Planned> => {
    if (chosen === "leave") return decided(row, "leave")
    if (chosen === "resend") {
      const { allowed, why_not } = await checkResend(context, row)
      return allowed ? decided(row, "resend") : { why_not: why_not ?? "This row can’t be sent again now." }
    }
    if (chosen === "lookup") {
      const never = resendRefusals[row.outcome?.code ?? ""]
      return never === undefined ? { change: lookUpAgain(row, time.now()), linked: null } : { why_not: never }
    }
    // Each lookup costs a request: rows beyond the time limit need another call.
    if (isRefused || clock.monotonic() > endsAt) return undefined
    try {
      const only = await onlyCandidate(asPerson(context, requester), row)
      return typeof only === "string" ? { why_not: only } : decided(row, "happened", only.upstreamId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      isRefused = isKeyRefused(error)
      return { why_not: "It couldn’t be looked up at the service just now." }
    }
  }
}

/** The only entry that can be the row's, or why there is not exactly one. */
async function onlyCandidate(own: JobContext, row: RowRecord): Promise<{ upstreamId: string } | string> {
  const lookup = await lookUp(own, row)
  if (lookup.kind !== "read") return "The service shows no entry that could be this row’s."
  const earliest = earliestEffect(own, row)
  const possible = lookup.found.filter((one) => isCandidate(one, row, earliest))
  const [only, ...more] = await filterUnclaimed(own, row, possible)
  if (!lookup.complete) return "Its records couldn’t be read completely."
  if (only === undefined) return "The service shows no entry that could be this row’s."
  if (more.length > 0) return "Several entries could be this row’s."
  if (only.not !== undefined) return `Its only entry is of another ${only.not}.`
  return only
}
