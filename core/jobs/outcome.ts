import { explainUpstream } from "../../contract/error-catalogue.ts"
import { pauseCodes } from "../../contract/job.ts"
import { rowOutcomeWords, type RowOutcomeCode } from "../../contract/row-outcomes.ts"
import { isLimited, readServiceError, refusesUnread, saysFailed } from "../gateway/outcome.ts"
import type { Api } from "../../contract/status.ts"
import type { UpstreamOutcome } from "../ports.ts"
import { cutText } from "./correlation-tags.ts"
import type { JobContext } from "./job-context.ts"
import {
  answeredWell,
  type KindRules,
  type NamedEffect,
  type Precheck,
  type ServiceResponse,
  unnamedSuccess,
} from "./job-kind.ts"
import type { Claim, JobRecord, RowChange, RowChanged, RowRecord } from "./job-store.ts"

// What a call's response proves, and the changes of rows that follow from calls. An allow-list: whatever is not listed
// is `unknown` (docs/decisions/0002-money.md, Reading the outcome).

/** How a call ended, as far as its response shows. */
export type CallOutcome =
  /** It never reached the service, or the service did not take it up. */
  | { readonly kind: "not_done"; readonly limited: boolean; readonly how: string }
  /** A success; whether it names the row is the kind's to read. */
  | { readonly kind: "success"; readonly data: unknown; readonly response: ServiceResponse }
  /** A definite refusal of this one request. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** Nothing of the kind will be accepted: the whole job pauses. */
  | { readonly kind: "systemic"; readonly status: number; readonly code: string; readonly message: string }
  | {
      readonly kind: "unknown"
      readonly how: string
      /** A response came that says nothing about what was done. */
      readonly responded: boolean
      /** What the service itself said under a status that says something else. */
      readonly said?: Outcome
    }

type Outcome = NonNullable<RowRecord["outcome"]>

const refusals: ReadonlySet<number> = new Set([400, 404, 409, 422])

/** Reads how a call ended. */
export function readCallOutcome(api: Api, outcome: UpstreamOutcome): CallOutcome {
  if (isLimited(outcome))
    return { kind: "not_done", limited: true, how: "the service asked Laurel to wait (429)" }
  const seconds = `after ${(outcome.ms / 1000).toFixed(1)} s`
  switch (outcome.kind) {
    case "not_sent":
      return { kind: "not_done", limited: false, how: `not sent: ${outcome.what}` }
    case "no_answer":
      return { kind: "unknown", how: `${outcome.what}, ${seconds}`, responded: false }
    case "unreadable":
      // Its status says what its body cannot.
      if (refusesUnread.has(outcome.status) || isCardConflict(api, outcome.status))
        return readResponse(api, outcome.status, undefined, seconds)
      return {
        kind: "unknown",
        how: `status ${outcome.status} with ${outcome.what}, ${seconds}`,
        responded: false,
      }
    case "answer":
      return readResponse(api, outcome.status, outcome.body, seconds)
    default:
      return outcome satisfies never
  }
}

function readResponse(api: Api, status: number, body: unknown, seconds: string): CallOutcome {
  const error = readError(body)
  if (status >= 200 && status < 300) {
    // The status and the body contradict each other: only a lookup can tell.
    if (saysFailed(body) || holdsOnlyError(body)) {
      const { code = String(status), message } = error
      const said = message === undefined ? "an error without a reason" : `the error “${message}”`
      const how = `status ${status} with ${said}, ${seconds}`
      return {
        kind: "unknown",
        how,
        responded: true,
        ...(message !== undefined && { said: { code, message } }),
      }
    }
    const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined
    return { kind: "success", data, response: { status, body } }
  }
  // A card to be issued names no record but its template, which is the same for many rows.
  if (api === "giftcard" && status === 404) return templateNotFound
  const entry = explainUpstream(api, status, error.code)
  // An entry that was found by its status alone says what may be so, not that the whole job is affected.
  const known = entry !== undefined && entry.code !== null && entry.code === error.code
  if (status === 401 || status === 402 || status === 403 || (known && entry.systemic)) {
    const code = error.code ?? entry?.code ?? String(status)
    const words = [entry?.happened, entry?.next].filter((text) => text !== undefined)
    const message = words.length > 0 ? words.join(" ") : `The service refused with ${status}.`
    return { kind: "systemic", status, code, message }
  }
  if (isCardConflict(api, status) && !known) return unexplainedConflict
  // A proxy repeats the status as its code: that does not make it the service's own refusal of this request.
  const repeatsStatus = error.code === String(status)
  if (refusesUnread.has(status) || (refusals.has(status) && error.code !== undefined && !repeatsStatus)) {
    const unexplained = known ? entry.happened : `The service refused with ${status} and gave no reason.`
    return { kind: "refused", code: error.code ?? String(status), message: error.message ?? unexplained }
  }
  return { kind: "unknown", how: `status ${status}, ${seconds}`, responded: status < 500 }
}

/** An error where a record should be: the gift-card service's envelope is not documented (docs/api/giftcard.md, Not shown). */
function holdsOnlyError(body: unknown): boolean {
  if (typeof body !== "object" || body === null || "data" in body || !("error" in body)) return false
  return body.error !== null && body.error !== undefined && body.error !== false
}

function isCardConflict(api: Api, status: number): boolean {
  return api === "giftcard" && status === 409
}

/** A 409 can mean that the card exists: without a documented code only looking its reference up can tell. */
const unexplainedConflict: CallOutcome = { kind: "refused", ...outcomeOf("conflict_unexplained") }

const templateNotFound: CallOutcome = {
  kind: "systemic",
  status: 404,
  code: pauseCodes.templateNotFound,
  message:
    "The gift-card service has no card template with this id. No card was issued. Check the template's id in the settings, then resume.",
}

const longestMessage = 500

/** Code and message of a refusal, as far as its body carries them, as any store can keep them. */
function readError(body: unknown): { code: string | undefined; message: string | undefined } {
  const { code, message } = readServiceError(body)
  return { code: storable(code) || undefined, message: storable(message) }
}

/** Whole characters, no NUL, not too long. */
function storable(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined
  return cutText(text.toWellFormed().replaceAll("\u0000", "\uFFFD"), longestMessage)
}

/** An outcome in the words of its code. */
export function outcomeOf(code: RowOutcomeCode): { readonly code: RowOutcomeCode; readonly message: string } {
  return { code, message: rowOutcomeWords[code] }
}

const persistRetryMs = { first: 100, longest: 3000 }

/**
 * Persists how calls ended. A store that fails is tried again until it takes it: an outcome that is known must not be
 * forgotten. If the process dies before, the rows' lease ends and they are looked up.
 */
export async function persistOutcomes(
  context: JobContext,
  jobId: string,
  changes: readonly RowChange[],
): Promise<RowChanged[]> {
  for (let wait = persistRetryMs.first; ; wait = Math.min(wait * 2, persistRetryMs.longest)) {
    try {
      return await context.store.jobs.changeRows(jobId, changes)
    } catch (error) {
      context.log.error({ err: error, job: jobId }, "the end of a call could not be written down yet")
      await context.clock.sleep(wait)
    }
  }
}

/** States to which a late response of the same attempt still applies. */
const open: RowChange["from"] = ["sent", "unknown", "absent"]

function change(row: RowRecord, from: RowChange["from"], set: RowChange["set"], release?: Claim): RowChange {
  return { row: row.row, from, attempt: row.attempts, set, ...(release !== undefined && { release }) }
}

/** `planned → sent`: the intent, stored before the call. Gives the row as it is then. */
export function intent(
  rules: KindRules,
  row: RowRecord,
  attempt: Pick<RowRecord, "owner" | "leaseUntil" | "bodyHash" | "request"> & { readonly sentAt: number },
): { readonly sent: RowRecord; readonly change: RowChange } {
  const set = {
    ...attempt,
    state: "sent",
    attempts: row.attempts + 1,
    firstSentAt: row.firstSentAt ?? attempt.sentAt,
    endedAt: null,
    endedHow: null,
    nextAt: null,
    looks: [],
    outcome: null,
    work: row.work,
  } as const
  const sent: RowRecord = { ...row, ...set }
  const claim = rules.claimWhileSent?.(sent)
  const made = { ...change(row, ["planned"], set), edits: row.edits }
  return { sent, change: claim === undefined ? made : { ...made, claim } }
}

/** The end of a row that its precheck brought to one: nothing is sent. */
export function endBeforeSending(
  context: JobContext,
  rules: KindRules,
  row: RowRecord,
  precheck: Exclude<Precheck, { kind: "go" }>,
): RowChange {
  if (precheck.kind === "done") {
    const made = confirm(context, rules, row, precheck.done, {
      at: context.time.now(),
      byResponse: false,
    })
    return { ...made, from: ["planned"], edits: row.edits }
  }
  const { kind: state, outcome, work } = precheck
  // Whoever had decided before did not know this.
  const set = {
    state,
    outcome,
    nextAt: null,
    decision: null,
    ...(work && { work: { ...row.work, ...work } }),
  }
  const release = state === "failed" ? claimOf(rules, row) : rules.claimWhileSent?.(row)
  return { ...change(row, ["planned"], set, release), edits: row.edits }
}

/** What a row gives back when it ends. */
function claimOf(rules: KindRules, row: RowRecord): Claim | undefined {
  return rules.claimWhileSent?.(row) ?? rules.claimUntilEnd?.(row)
}

/** Confirms a row by its own response, or by what a lookup found. */
export function confirm(
  context: JobContext,
  rules: KindRules,
  row: RowRecord,
  effect: NamedEffect,
  end: { readonly at: number; readonly byResponse: boolean },
): RowChange {
  const { upstreamId, balanceAfter, work } = effect
  const readAgain = row.doubtful && row.attempts > 1 && rules.idempotent !== true
  const set: RowChange["set"] = {
    state: "confirmed",
    upstreamId,
    balanceAfter,
    confirmedAt: context.time.now(),
    ...((end.byResponse || row.endedAt === null) && { endedAt: end.at }),
    ...(end.byResponse && { endedHow: answeredWell }),
    outcome: null,
    ...(work !== undefined && { work: { ...row.work, ...work } }),
    // What was sent again is read once more, much later: an extra entry means twice. An identical repeat makes none.
    nextAt: readAgain ? end.at + 10 * context.config.jobs.settleMs : null,
  }
  const made = change(row, open, set, claimOf(rules, row))
  return rules.claimScope === undefined
    ? made
    : { ...made, claim: { scope: rules.claimScope, key: upstreamId } }
}

/** Plans a row as before whose call provably did nothing. */
export function planUndone(rules: KindRules, row: RowRecord, outcome: CallOutcome, at: number): RowChange {
  const how =
    outcome.kind === "not_done" ? outcome.how : outcome.kind === "systemic" ? refusedBy(outcome) : ""
  const set = { state: "planned", endedAt: at, endedHow: how, nextAt: null, outcome: null } as const
  return change(row, open, set, rules.claimWhileSent?.(row))
}

/**
 * The change of a row whose call the service took up and did not confirm: `failed` on a definite refusal of a first
 * attempt, open in every other case.
 */
export function endUnconfirmed(
  context: JobContext,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  outcome: CallOutcome,
  at: number,
): RowChange {
  if (outcome.kind !== "refused") {
    const { how, said } = outcome.kind === "unknown" ? outcome : { how: unnamedSuccess }
    return leaveOpen(context, job, rules, row, { at, how, waitsFor: said ?? null })
  }
  const how = refusedBy(outcome)
  const refusal = { code: outcome.code, message: outcome.message }
  if (rules.isInProgress?.(outcome.code) === true)
    return leaveOpen(context, job, rules, row, { at, how, waitsFor: refusal })
  // After an unknown attempt a refusal alone proves nothing: it is looked up first.
  if (row.doubtful || rules.isInconclusive?.(outcome.code) === true) {
    const work = { ...row.work, refusal }
    return markUnknown(row, { at, how, nextAt: firstLookupAt(context, job, at) }, { work })
  }
  const set = { state: "failed", endedAt: at, endedHow: how, outcome: refusal, nextAt: null } as const
  return change(row, open, set, claimOf(rules, row))
}

function refusedBy({ code }: { readonly code: string }): string {
  return `refused: ${code}`
}

/** A row that goes out again as it was, with growing pauses, up to so often; then it is looked up. */
const mostRepeats = 12
const repeatMs = { first: 1000, longest: 300_000 }

/**
 * The change of a row of which it is not known what was done: it is looked up, or, where the service knows a repeat of
 * the identical request, goes out again.
 */
export function leaveOpen(
  context: JobContext,
  job: JobRecord,
  rules: KindRules,
  row: RowRecord,
  end: { readonly at: number; readonly how: string; readonly waitsFor?: RowRecord["outcome"] },
): RowChange {
  const { at, how, waitsFor = null } = end
  if (rules.idempotent !== true || row.attempts >= mostRepeats)
    return markUnknown(row, { at, how, nextAt: firstLookupAt(context, job, at) })
  const wait = Math.min(repeatMs.first * 2 ** (row.attempts - 1), repeatMs.longest)
  const set: RowChange["set"] = {
    state: "planned",
    doubtful: true,
    endedAt: at,
    endedHow: how,
    nextAt: at + wait,
    outcome: waitsFor,
  }
  return change(row, ["sent", "unknown"], set, rules.claimWhileSent?.(row))
}

/**
 * Makes a row unknown: it is looked up from `nextAt` on. Its owner says when the call ended also if the row was taken for
 * unknown meanwhile; `at` is null while the end of the call is not known.
 */
export function markUnknown(
  row: RowRecord,
  end: { readonly at: number | null; readonly how: string; readonly nextAt: number },
  set: RowChange["set"] = {},
): RowChange {
  return change(row, end.at === null ? ["sent"] : ["sent", "unknown"], {
    state: "unknown",
    doubtful: true,
    endedAt: end.at,
    endedHow: end.how,
    nextAt: end.nextAt,
    outcome: outcomeOf("looking"),
    ...set,
  })
}

/** When an unknown row is looked up first. Somebody who waits at a form is told as soon as something is found. */
export function firstLookupAt(context: JobContext, job: JobRecord, endedAt: number): number {
  const { settleMs } = context.config.jobs
  return endedAt + (job.lane === "people" ? Math.min(settleMs, 2000) : settleMs)
}

/** Changes of an unknown row that was looked up; `kept` is stored with each of them. */
export interface AfterLookup {
  /** Looked up again at a time, ms since 1970, the store's clock. */
  wait(nextAt: number, work?: RowRecord["work"]): RowChange
  /** A person decides. Whoever had decided before decided about an earlier attempt. */
  conflict(outcome: Outcome, work?: RowRecord["work"]): RowChange
  failed(outcome: Outcome, set?: RowChange["set"]): RowChange
  /** It was proven not to have been carried out: sent again where its kind allows, else left to a person. */
  absent(job: JobRecord): RowChange
  /** Never sent by this store nor by anybody else: it is planned as before. */
  unsent(): RowChange
}

/** Makes the changes of a row as it is known after a lookup. */
export function afterLookup(
  rules: KindRules,
  row: RowRecord,
  kept: Pick<RowRecord, "looks"> & { readonly work?: RowRecord["work"] },
): AfterLookup {
  const leave = (set: RowChange["set"], release = rules.claimWhileSent?.(row)) =>
    change(row, ["unknown"], { ...kept, nextAt: null, ...set }, release)
  const withWork = (work: RowRecord["work"] | undefined) => work && { work: { ...row.work, ...work } }
  const left = (code: RowOutcomeCode) => leave({ state: "absent", outcome: outcomeOf(code), decision: null })
  return {
    wait: (nextAt, work) => change(row, ["unknown"], { ...kept, nextAt, ...withWork(work) }),
    conflict: (outcome, work) => leave({ state: "conflict", outcome, decision: null, ...withWork(work) }),
    failed: (outcome, set) => leave({ state: "failed", outcome, ...set }, claimOf(rules, row)),
    absent(job) {
      const mayGo = job.state === "running" || job.state === "paused" || job.state === "done"
      return mayGo && row.resends < rules.resends
        ? leave({ state: "planned", outcome: null, resends: row.resends + 1 })
        : left(rules.absentCode ?? "left_to_person")
    },
    unsent: () => leave({ state: "planned", outcome: null, endedAt: null, endedHow: null }),
  }
}

/** A row that was sent again and of which a further effect appeared: a person decides whether to take one back. */
export function foundTwice({ twiceCode }: KindRules, row: RowRecord): RowChange {
  const outcome = outcomeOf(twiceCode ?? "awarded_twice")
  return change(row, ["confirmed"], { state: "conflict", outcome, nextAt: null, decision: null })
}

/**
 * Makes an open row of a job that is held after a restore one that is looked up, whatever the store believes about it.
 * @param held when the restore was found, and when the restored store was last known to be complete
 */
export function unknownSinceRestore(
  context: JobContext,
  rules: KindRules,
  job: JobRecord,
  row: RowRecord,
  held: { readonly at: number; readonly since: number },
): RowChange {
  const restored = { ...held, made: job.createdAt, attempts: row.attempts, sample: false }
  const claim = row.attempts === 0 ? rules.claimUntilEnd?.(row) : undefined
  const made = change(row, [row.state], {
    state: "unknown",
    doubtful: true,
    endedAt: held.at,
    endedHow: row.endedHow ?? "the desk's store was restored from a backup",
    nextAt: context.time.now(),
    looks: [],
    outcome: outcomeOf("restore_looking"),
    work: { ...row.work, ...rules.workForRestore?.(job, row, held.since), restored },
  })
  return claim === undefined ? made : { ...made, claim }
}

/** A row that another row of the job stands for already: it is not sent. */
export function duplicateInJob({ row }: Pick<RowRecord, "row">): RowChange {
  return { row, from: ["planned"], set: { state: "failed", outcome: outcomeOf("duplicate_in_job") } }
}

/** A planned row that is never sent, unless it was edited since it was read. */
export function excludeRow(rules: KindRules, row: RowRecord, outcome: Outcome): RowChange {
  const release = rules.claimUntilEnd?.(row)
  const set = { state: "excluded", outcome } as const
  return {
    row: row.row,
    from: ["planned"],
    edits: row.edits,
    set,
    ...(release !== undefined && { release }),
  }
}
