import { amountOf } from "../../contract/amount-limits.ts"
import type { AuditChange } from "../../contract/audit.ts"
import { type EditRowsBody, type RetryJobBody, rowStateLabels } from "../../contract/job.ts"
import type { FieldProblem } from "../../contract/response.ts"
import { type ActContext, auditText } from "../audit/audit-log.ts"
import { conflict, invalid, notFound, stored } from "../errors.ts"
import { amountRules, totalAmount, noAmountRules } from "./amount-limits.ts"
import { readEach, readRow } from "./create.ts"
import { type EngineContext, jobAct, rowBatches, storedRows } from "./engine-context.ts"
import type {
  EntryBuilder,
  JobChange,
  JobRecord,
  NewRow,
  RowChange,
  RowChanged,
  RowRecord,
} from "./job-store.ts"
import { rowDefaults, kindRules } from "./kinds/kind-rules.ts"
import { repeatKey } from "./repeats.ts"
import { carriedOut, resolveCorrected } from "./resolve-rows.ts"
import { editPlanned, excludeFailed, planAgain } from "./transitions.ts"

// Corrections by people: failed rows are planned again, planned rows of a paused job are edited.

/**
 * Plans failed rows again, unchanged or corrected. Returns their count, and the numbers of chosen rows that changed
 * meanwhile. Throws 422 for invalid inputs and 409 for a chosen row that is not failed: then nothing was planned. `again`
 * is applied to the job in the same transaction, so that no ended job has planned rows.
 */
export async function retryRows(
  context: EngineContext,
  job: JobRecord,
  { rows: chosen }: RetryJobBody,
  again: JobChange,
  audit: EntryBuilder | undefined,
): Promise<{ readonly planned: number; readonly missed: readonly number[] }> {
  const correcting = await correctRows(context, job, again)
  if (chosen !== undefined) {
    const inputs = await correcting.read(chosen)
    const changes = inputs.map(({ number, row, corrected, notes }) => {
      if (row === undefined) throw notFound(`There is no row ${number}. Nothing was done.`)
      const name = `Row ${row.line ?? number}`
      // An excluded row of a reversal has released its award.
      const isLeftOut = row.state === "excluded" && job.reverses === null
      if (row.state !== "failed" && !isLeftOut)
        throw conflict(
          `${name} can’t be sent again, its state is “${rowStateLabels[row.state]}”. Nothing was done.`,
        )
      return planAgain(row, corrected, notes)
    })
    const added = totalAmount(inputs.flatMap(({ row, corrected }) => corrected ?? row ?? []))
    const results = await correcting.change(changes, added, "Nothing was done.", audit)
    return { planned: countChanged(results), missed: missedRows(changes, results) }
  }
  const { notesForRetry } = kindRules[job.kind]
  let planned = 0
  // One pass by number, so that a row that fails again meanwhile is not retried twice.
  for await (const rows of rowBatches(storedRows(context.store.jobs), job.id, ["failed"])) {
    const changes = rows.map((row) => planAgain(row, undefined, notesForRetry?.(row, undefined) ?? null))
    const rest = planned === 0 ? "Nothing was done." : `${planned} rows are sent again, the others are not.`
    const entry = planned === 0 ? audit : undefined
    planned += countChanged(await correcting.change(changes, totalAmount(rows), rest, entry))
  }
  return { planned, missed: [] }
}

function missedRows(changes: readonly RowChange[], results: readonly RowChanged[]): number[] {
  return changes.filter((_, at) => results[at] !== "changed").map(({ row }) => row)
}

function countChanged(results: readonly RowChanged[]): number {
  return results.filter((result) => result === "changed").length
}

/** Excludes failed rows; throws 404 or 409 if any of them is not failed. Returns the count without concurrent changes. */
export async function excludeFailedRows(
  { store: { jobs } }: EngineContext,
  { user }: ActContext,
  job: JobRecord,
  numbers: readonly number[],
  audit: RowsEntry,
): Promise<number> {
  const changes: RowChange[] = []
  for (const number of numbers) {
    const row = await stored(jobs.row(job.id, number))
    if (row === undefined) throw notFound(`There is no row ${number}. Nothing was done.`)
    if (row.state !== "failed")
      throw conflict(`Row ${row.line ?? number} was sent again meanwhile. Nothing was done.`)
    changes.push(excludeFailed(row, user.name))
  }
  return countChanged(await stored(jobs.changeRows(job.id, changes, undefined, undefined, audit)))
}

/**
 * Changes the inputs of planned rows of a paused job. Throws 422 for invalid inputs, 409 for a row that is not planned or
 * may have been carried out, or when the job or rows changed meanwhile.
 */
export async function editRows(
  context: EngineContext,
  requester: ActContext,
  job: JobRecord,
  body: EditRowsBody,
) {
  // Prepare again, because members or amounts may have changed.
  const whilePaused: JobChange = { from: ["paused"], only: true, set: { prepared: false } }
  const correcting = await correctRows(context, job, whilePaused)
  const changes: RowChange[] = []
  const logged: AuditChange[][] = []
  let added = 0
  for (const { number, row, corrected, notes } of await correcting.read(body.rows)) {
    if (row === undefined || corrected === undefined)
      throw notFound(`There is no row ${number}. Nothing was saved.`)
    if (row.state !== "planned")
      throw conflict(
        `Row ${number} can’t be edited, its state is “${rowStateLabels[row.state]}”. Nothing was saved.`,
      )
    if (row.hadUnknownAttempt)
      throw conflict(`Row ${number} was sent before and may have been carried out. Nothing was saved.`)
    changes.push(editPlanned(kindRules[job.kind], row, corrected, notes))
    logged.push(changedFields(row, corrected))
    added += amountOf(corrected) - amountOf(row)
  }
  const act = (now: JobRecord, each: readonly RowChanged[]) => {
    const made = logged.filter((_, at) => each[at] === "changed").flat()
    return jobAct(requester, "job.edit", now, { note: body.reason, changes: made })
  }
  const results = await context.audit.together(act, (entry) =>
    correcting.change(changes, added, "Nothing was saved.", entry),
  )
  const missed = missedRows(changes, results)
  if (missed.length === results.length)
    throw conflict("The job or its rows changed meanwhile. Nothing was saved.")
  if (missed.length > 0)
    throw conflict(
      `Someone else changed row ${missed.join(", ")} in the meantime, so it wasn’t saved. The other rows were saved. Reload to see them.`,
    )
}

function changedFields({ row, input }: RowRecord, corrected: NewRow): AuditChange[] {
  const before = new Map(Object.entries(input))
  const after = new Map(Object.entries(corrected.input))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [from = null, to = null] = [before, after].map((side) => auditText(side.get(field)))
    return from === to ? [] : { field: `row ${row} ${field}`, from, to }
  })
}

interface Corrected {
  readonly row: RowRecord | undefined
  readonly corrected: NewRow | undefined
}

/**
 * A corrected row of a file must not duplicate another row: repeats can only be confirmed before the start.
 * @throws AppError 422
 */
async function requireNoDuplicates({ store }: EngineContext, job: JobRecord, rows: readonly Corrected[]) {
  if (job.repeats === null) return
  const changed = new Map<string, number>()
  const problems: FieldProblem[] = []
  for (const [at, each] of rows.entries()) {
    const key = changedKey(each)
    if (key === undefined) continue
    const same = each.row?.state === "excluded" ? rows[changed.get(key) ?? -1]?.row : undefined
    if (same !== undefined) problems.push(duplicate(at, each.row, same, "Leave one of them out."))
    changed.set(key, at)
  }
  if (changed.size === 0) return
  const own = new Set(rows.map(({ row }) => row?.row))
  for await (const page of rowBatches(storedRows(store.jobs), job.id, carriedOut)) {
    for (const row of page) {
      const at = changed.get(repeatKey(row) ?? "")
      if (at !== undefined && !own.has(row.row))
        problems.push(duplicate(at, row, row, "Correct this row, or award it by itself."))
    }
  }
  if (problems.length > 0) throw invalid(422, problems)
}

/** Key of what a row does when it is sent again; undefined if it did the same before. */
function changedKey({ row, corrected }: Corrected): string | undefined {
  const before = row?.state === "excluded" ? undefined : row
  const after = corrected ?? (before === undefined ? row : undefined)
  const key = after && repeatKey(after)
  return before !== undefined && repeatKey(before) === key ? undefined : key
}

function duplicate(at: number, given: RowRecord | undefined, same: RowRecord, advice: string): FieldProblem {
  const field = given?.memberId === null ? "email" : "member_id"
  const message = `Row ${same.line ?? same.row} is the same. Nothing was sent. ${advice}`
  return { field: `rows.${at}.input.${field}`, message }
}

function isFromFile({ state, outcome }: RowRecord): boolean {
  return state === "excluded" && outcome?.code !== "left_out"
}

/** Whether a deduction keeps the purpose of the award it corrects: its input does not contain the reference. */
function keepsPurpose(row: RowRecord, corrected: NewRow): boolean {
  return row.purpose !== null && corrected.purpose == null && row.memberId === corrected.memberId
}

type RowsEntry = EntryBuilder<[results: readonly RowChanged[]]> | undefined

async function correctRows(context: EngineContext, job: JobRecord, jobChange: JobChange) {
  const { store } = context
  // No limits for reversals: the reversed amounts were within them.
  const amounts = job.reverses === null ? await amountRules(context, job.kind) : noAmountRules
  const startedAt = jobChange.set.startedAt ?? job.startedAt ?? undefined
  return {
    /** Reads each row with its correction (undefined: unchanged) and the `notes` to keep. Throws 422. */
    async read(rows: readonly { readonly row: number; readonly input?: unknown }[]) {
      const { notesForRetry } = kindRules[job.kind]
      const defaults = await rowDefaults(context, job.kind)
      // A row of a reversal takes back exactly one award.
      const message = "The rows of a reversal can only be sent unchanged. Nothing was done."
      const problems = rows.flatMap(({ input }, at) =>
        job.reverses === null || input === undefined ? [] : [{ field: `rows.${at}.input`, message }],
      )
      if (problems.length > 0) throw invalid(422, problems)
      const read = await readEach(
        rows,
        async ({ row: number, input }) => {
          const row = await stored(store.jobs.row(job.id, number))
          // An excluded row of a file has the raw text of the file, which was not validated.
          const given = input ?? (row && isFromFile(row) ? row.input : undefined)
          const requested = given === undefined ? undefined : readRow(job.kind, given, defaults, amounts)
          const corrected =
            requested && row && keepsPurpose(row, requested)
              ? { ...requested, purpose: row.purpose }
              : requested
          return { number, row, corrected, notes: (row && notesForRetry?.(row, corrected)) ?? null }
        },
        { within: "input." },
      )
      await requireNoDuplicates(context, job, read)
      const resolved = await resolveCorrected(context, job, read)
      return read.map((each, at) => ({ ...each, corrected: resolved[at] }))
    },
    /** Throws 422 when the changes, which add `added` points or cents, would exceed a limit: then none was applied. */
    async change(changes: readonly RowChange[], added: number, rest: string, audit: RowsEntry) {
      const most = amounts.most(startedAt)
      const results = await stored(store.jobs.changeRows(job.id, changes, jobChange, most, audit))
      const passed = results.find((result) => result === "over_job" || result === "over_day")
      if (passed === undefined) return results
      const before = (await stored(store.jobs.get(job.id)))?.amount ?? job.amount
      const maker = jobChange.set.createdBy ?? job.createdBy
      throw await amounts.refusal(passed, maker.id, { job: before + added, added, startedAt }, rest)
    },
  }
}
