import { repeatDays, type RepeatsBody, type RowRepeats, rowStates } from "../../contract/job.ts"
import { AppError, conflict, stored } from "../errors.ts"
import {
  changeInPortions,
  type EngineContext,
  rowPortions,
  storedRows,
  yieldToEventLoop,
} from "./engine-context.ts"
import type { JobContext, RowDefaults } from "./job-kind.ts"
import type { ComparedRow, JobRecord, NewRow, RowRecord } from "./job-store.ts"
import { defaultsOf, newRow } from "./kinds/kind-rules.ts"
import { isHeld } from "./records.ts"
import { excludeRow, notePlanned } from "./transitions.ts"

const atOnce = 1000
const windowMs = repeatDays * 86_400_000

/** Which rows of a file repeat earlier ones (docs/decisions/0002-money.md, The same rows again). */
export async function findRepeats(context: EngineContext, { kind, rows }: RepeatsBody) {
  const defaults = await defaultsOf(context, kind)
  const since = context.time.now() - windowMs
  const repeats: RowRepeats[] = []
  for (let from = 0; from < rows.length; from += atOnce) {
    if (from > 0) await yieldToEventLoop()
    const compared = rows.slice(from, from + atOnce).map((row) => comparedRow(kind, row, defaults))
    const same = await stored(context.store.jobs.sameRows(compared, since))
    for (const [at, { key, count, latest }] of same.entries()) {
      if (latest === null) continue
      const { line, row, state } = latest.row
      repeats.push({ at: from + at, key, count, job: latest.job, row: line ?? row, state })
    }
  }
  return repeats
}

/** Marks rows of a draft that repeat earlier ones as chosen; throws 409 when the person saw another number. */
export async function requireRepeats(context: EngineContext, draft: JobRecord, expected: number) {
  const { repeats } = await repeatsIn(context, draft, undefined)
  const found = repeats.length
  if (found !== expected) {
    const rows = found === 1 ? "1 row repeats" : `${found} rows repeat`
    const message = `${rows} earlier ones, not ${expected}. Nothing was started. Check the rows again, then start.`
    throw conflict(message, { repeats: found })
  }
  const chosen = repeats.filter((row) => !row.repeat)
  const changes = chosen.map(({ row, edits }) => notePlanned({ row, edits }, { repeat: true }))
  await stored(changeInPortions(context.store.jobs, draft.id, changes))
}

/**
 * Excludes rows that turn out to repeat others, which started or were sent meanwhile (`found`: only rows whose member
 * was found by e-mail). Rows that a person decided to send, or that may have been carried out, stay.
 */
export async function excludeRepeats(context: JobContext, which: "all" | "found"): Promise<void> {
  const { job, rules } = context
  const { planned, excluded: _excluded, ...begun } = job.counts
  const isBegun = Object.values(begun).some((count) => count > 0)
  if (job.repeats === null || planned === 0) return
  // What a restored store calls planned may have been carried out: it is looked up, not compared.
  if (isBegun && isHeld(job)) return
  const { repeats, latest } = await repeatsIn(context, job, isBegun ? undefined : job)
  const found = repeats.filter(
    ({ repeat, doubtful, decision, memberId, email }) =>
      !repeat && !doubtful && decision === null && (which === "all" || (memberId !== null && email !== null)),
  )
  const changes = found.map((row) => {
    const message = `Same as ${latest.get(row.row) ?? "an earlier row"}. Nothing was sent for it here.`
    return excludeRow(rules, row, { code: "repeated_row", message })
  })
  await stored(changeInPortions(context.store.jobs, job.id, changes))
}

/**
 * Planned rows of a job that repeat others. Each other row makes one row a repeat, first those excluded already, then
 * those a person chose to send: a row that stands twice in a file, one of them paid before, is a repeat once. With
 * `own`, rows of jobs started after it do not count: of two jobs with the same row one sends it.
 */
async function repeatsIn(context: EngineContext, job: JobRecord, own: JobRecord | undefined) {
  const { jobs } = context.store
  const since = context.time.now() - windowMs
  const groups = new Map<string, { count: number; rows: RowRecord[] }>()
  const latest = new Map<number, string>()
  // A file may name a member by id in one row and by e-mail in another: that shows once the e-mail's member is found.
  const byId = new Map<string, RowRecord>()
  const byEmail: RowRecord[] = []
  for await (const rows of rowPortions(storedRows(jobs), job.id, rowStates)) {
    for (const row of rows) {
      const name = nameOf(row)
      if (row.memberId === null || name === undefined) continue
      if (row.email === null && row.state !== "failed" && row.state !== "excluded") byId.set(name, row)
      if (row.email !== null && row.state === "planned") byEmail.push(row)
    }
    const compared = rows.filter(
      ({ state, outcome, repeat }) => repeat || state === "planned" || outcome?.code === "repeated_row",
    )
    // Rows that failed and are tried again: whoever came after them saw nothing to wait for.
    const isAgain = rows.some(({ attempts }) => attempts > 0)
    const startedAt = isAgain ? null : (own?.startedAt ?? null)
    const same = await stored(jobs.sameRows(compared, since, { id: job.id, startedAt }))
    for (const [at, row] of compared.entries()) {
      const found = same[at]
      if (found === undefined || found.latest === null) continue
      const group = groups.get(found.key) ?? { count: 0, rows: [] }
      groups.set(found.key, { count: Math.max(group.count, found.count), rows: [...group.rows, row] })
      latest.set(row.row, `row ${found.latest.row.line ?? found.latest.row.row} of ${found.latest.job}`)
    }
  }
  const repeats = [...groups.values()].flatMap(({ count, rows }) => {
    const over = rows.filter(({ state }) => state !== "planned").length
    const planned = rows.filter(({ state }) => state === "planned")
    const chosenFirst = planned.toSorted((one, other) => Number(other.repeat) - Number(one.repeat))
    return chosenFirst.slice(0, Math.max(0, count - over))
  })
  const already = new Set(repeats)
  for (const row of byEmail) {
    const same = byId.get(nameOf(row) ?? "")
    if (same === undefined || already.has(row)) continue
    repeats.push(row)
    latest.set(row.row, `row ${same.line ?? same.row} of this file`)
  }
  return { repeats, latest }
}

/** The same for rows of one job that do the same for a member whom they name in the same way; undefined: not compared. */
export function nameOf({ memberId, email, effect = null }: NewRow | RowRecord): string | undefined {
  return effect === null ? undefined : JSON.stringify([memberId ?? email, effect])
}

function comparedRow(kind: JobRecord["kind"], row: unknown, defaults: RowDefaults): ComparedRow {
  try {
    const { memberId, email, effect = null, effectWithoutReference = null } = newRow(kind, row, defaults)
    return { memberId, email, effect, effectWithoutReference }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { memberId: null, email: null, effect: null, effectWithoutReference: null }
  }
}
