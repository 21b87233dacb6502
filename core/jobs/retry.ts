import { amountOf } from "../../contract/amount-limits.ts"
import type { AuditChange } from "../../contract/audit.ts"
import type { EditRowsBody, RetryJobBody } from "../../contract/job.ts"
import type { FieldProblem } from "../../contract/response.ts"
import { auditText } from "../audit-log.ts"
import { AppError, invalid, notFound, stored } from "../errors.ts"
import { amountRules, movedBy, noAmountRules, type AmountRules } from "./amount-limits.ts"
import { defaultsOf } from "./create.ts"
import { type JobContext, rowPortions, storedRows } from "./job-context.ts"
import type {
  JobChange,
  JobRecord,
  MostMoved,
  NewRow,
  RowChange,
  RowChanged,
  RowRecord,
} from "./job-store.ts"
import { kindRules } from "./kinds/kind-rules.ts"

/**
 * Plans failed rows again, as they were or with mended inputs; a row that is no longer failed is left alone.
 * @param again done to the job in the same step, so that a job that ended never keeps planned rows
 * @returns how many were planned
 * @throws AppError 422 for inputs that cannot be sent: then nothing was planned
 */
export async function retryRows(
  context: JobContext,
  job: JobRecord,
  body: RetryJobBody,
  again: JobChange,
): Promise<number> {
  const bounds = await boundsOf(context, job, again.set.startedAt)
  if (body.rows === undefined) return retryAll(context, job, again, bounds)
  const mended = await readInputs(context, job, body.rows, bounds)
  const changes = body.rows.map(({ row }, at) => plannedAgain(row, mended[at]?.made, mended[at]?.work))
  const added = () => amountOfRetry(context.store, job, changes)
  const results = await changeWithin(context, job, changes, again, bounds, added, "Nothing was done.")
  return results.filter((result) => result === "changed").length
}

/** What a job and its maker's day may come to. */
interface Bounds {
  readonly amounts: AmountRules
  readonly most: MostMoved | undefined
  readonly startedAt: number
}

/** A reversal has none: it gives back what was within limits before. */
async function boundsOf(context: JobContext, job: JobRecord, startedAnew?: number | null): Promise<Bounds> {
  const amounts = job.reverses === null ? await amountRules(context, job.kind) : noAmountRules
  const startedAt = startedAnew ?? job.startedAt ?? context.time.now()
  return { amounts, most: amounts.most(startedAt), startedAt }
}

/**
 * Changes rows in one step.
 * @param addedBy what they move more than before, in points or cents; asked only for the refusal
 * @param rest what was and was not done when they are refused
 * @throws AppError 422 when they would pass a limit: then none of these was changed
 */
async function changeWithin(
  { store }: JobContext,
  job: JobRecord,
  changes: readonly RowChange[],
  change: JobChange,
  { amounts, most, startedAt }: Bounds,
  addedBy: () => Promise<number>,
  rest: string,
): Promise<readonly RowChanged[]> {
  const results = await stored(store.jobs.changeRows(job.id, changes, change, most))
  const passed = results.find((result) => result === "over_job" || result === "over_day")
  if (passed === undefined) return results
  const added = await addedBy()
  const before = (await stored(store.jobs.get(job.id)))?.amount ?? job.amount
  throw await amounts.refusal(passed, job.createdBy.id, { job: before + added, added, startedAt }, rest)
}

/** What the rows would move, as they were or as they were mended; points or cents. */
async function amountOfRetry(
  store: JobContext["store"],
  job: JobRecord,
  changes: readonly RowChange[],
): Promise<number> {
  let sum = 0
  for (const { row, set } of changes) {
    const kept = set.input === undefined ? await stored(store.jobs.row(job.id, row)) : undefined
    sum += amountOf({ points: set.points ?? kept?.points ?? null, input: set.input ?? kept?.input ?? {} })
  }
  return sum
}

/**
 * Gives planned rows of a paused job other inputs. Whatever was read of them before is void: each counts its edits, and
 * nobody sends a row by an older count. A row with an attempt that may have been carried out is never edited.
 * @returns what was changed, for the log
 * @throws AppError 422 for inputs that cannot be sent, 409 for a row or a job that does not stand still
 */
export async function editRows(
  context: JobContext,
  job: JobRecord,
  body: EditRowsBody,
): Promise<readonly AuditChange[]> {
  const { jobs } = context.store
  const bounds = await boundsOf(context, job)
  const mended = await readInputs(context, job, body.rows, bounds)
  const changes: RowChange[] = []
  let added = 0
  const said: AuditChange[] = []
  for (const [at, { row: number }] of body.rows.entries()) {
    const row = await stored(jobs.row(job.id, number))
    const { made, work } = mended[at] ?? {}
    if (row === undefined || made === undefined)
      throw notFound(`There is no row ${number}. Nothing was saved.`)
    if (row.state !== "planned") throw standsNot(`Row ${number} is ${row.state}, so it cannot be edited.`)
    if (row.doubtful) throw standsNot(`Row ${number} was sent before and may have been carried out.`)
    changes.push(edited(job, row, made, work))
    added += amountOf(made) - amountOf(row)
    said.push(...changesOf(row, made))
  }
  // Prepared anew: who and what a row names may be another.
  const still: JobChange = { from: ["paused"], only: true, set: { prepared: false } }
  const rest = "Nothing was saved."
  const results = await changeWithin(context, job, changes, still, bounds, async () => added, rest)
  const missed = body.rows.filter((_, at) => results[at] !== "changed").map(({ row }) => row)
  if (missed.length === results.length) throw standsNot("The job or its rows changed meanwhile.")
  if (missed.length > 0) {
    const message = `Someone else changed row ${missed.join(", ")} in the meantime, so it wasn’t saved. The other rows were saved. Reload to see them.`
    throw new AppError({ status: 409, code: "conflict", message })
  }
  return said
}

function edited(
  { kind }: JobRecord,
  row: RowRecord,
  made: NewRow,
  work: RowRecord["work"] | undefined = null,
): RowChange {
  const release = kindRules[kind].claimUntilEnd?.(row)
  const { input, memberId, email, label, points, reason, effect = null, effectWithoutReference = null } = made
  return {
    row: row.row,
    from: ["planned"],
    attempt: row.attempts,
    edits: row.edits,
    set: {
      edits: row.edits + 1,
      outcome: null,
      nextAt: null,
      work,
      input,
      memberId,
      email,
      label,
      points,
      reason,
      effect,
      effectWithoutReference,
      // It was chosen as the row it was.
      repeat: false,
    },
    ...(release !== undefined && { release }),
  }
}

/** What the log says of edits: the fields that changed, by row. */
function changesOf({ row, input }: RowRecord, made: NewRow): AuditChange[] {
  const before = new Map(Object.entries(input))
  const after = new Map(Object.entries(made.input))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [from = null, to = null] = [before, after].map((side) => auditText(side.get(field)))
    return from === to ? [] : { field: `row ${row} ${field}`, from, to }
  })
}

function standsNot(why: string): AppError {
  return new AppError({ status: 409, code: "conflict", message: `${why} Nothing was saved.` })
}

/** A row as it is asked for now, and what it keeps of what was sent; undefined: nothing, or its input stays. */
interface ReadInput {
  readonly made: NewRow | undefined
  readonly work: RowRecord["work"] | undefined
}

/**
 * Checks the inputs that were given, each as a new row's.
 * @throws AppError 422 with fields such as `rows.3.input.points`
 */
async function readInputs(
  context: JobContext,
  job: JobRecord,
  rows: readonly { readonly row: number; readonly input?: unknown }[],
  { amounts }: Bounds,
): Promise<readonly ReadInput[]> {
  const problems: FieldProblem[] = []
  const read: ReadInput[] = []
  const rules = kindRules[job.kind]
  const defaults = await defaultsOf(context, job.kind)
  for (const [at, { row, input }] of rows.entries()) {
    // It takes back what was awarded to this member, and nothing else.
    if (job.reverses !== null && input !== undefined) {
      const message = "The rows of a reversal can only be sent unchanged. Nothing was done."
      problems.push({ field: `rows.${at}.input`, message })
      continue
    }
    try {
      const made = input === undefined ? undefined : rules.newRow(input, defaults)
      const over = made && amounts.rowProblem(made)
      if (over !== undefined)
        problems.push({ field: `rows.${at}.input.${over.field}`, message: over.message })
      const before = rules.workForRetry && (await stored(context.store.jobs.row(job.id, row)))
      read.push({ made, work: before && rules.workForRetry?.(before, made) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      for (const problem of error.details?.fields ?? []) {
        problems.push({ field: `rows.${at}.input.${problem.field}`, message: problem.message })
      }
    }
  }
  if (problems.length > 0) throw invalid(422, problems)
  return read
}

async function retryAll(
  context: JobContext,
  job: JobRecord,
  again: JobChange,
  bounds: Bounds,
): Promise<number> {
  const { workForRetry } = kindRules[job.kind]
  let planned = 0
  // Never back to the beginning: a row that fails again meanwhile is not tried twice by one command.
  for await (const rows of rowPortions(storedRows(context.store.jobs), job.id, ["failed"])) {
    const changes = rows.map((row) => plannedAgain(row.row, undefined, workForRetry?.(row, undefined)))
    const rest =
      planned === 0 ? "Nothing was done." : `${planned} rows are retried, the other failed rows are not.`
    const results = await changeWithin(context, job, changes, again, bounds, async () => movedBy(rows), rest)
    planned += results.filter((result) => result === "changed").length
  }
  return planned
}

/** A mended row is found and marked anew; its earlier attempts were all definitely refused, so none is in doubt. */
function plannedAgain(
  row: number,
  mended: NewRow | undefined,
  work: RowRecord["work"] | undefined = null,
): RowChange {
  const { input, memberId, email, label, points, reason, effect, effectWithoutReference } = mended ?? {}
  return {
    row,
    from: ["failed"],
    set: {
      state: "planned",
      outcome: null,
      nextAt: null,
      work,
      ...(input !== undefined && {
        input,
        memberId: memberId ?? null,
        email: email ?? null,
        label: label ?? null,
        effect: effect ?? null,
        effectWithoutReference: effectWithoutReference ?? null,
      }),
      ...(points !== undefined && { points }),
      ...(reason !== undefined && { reason }),
    },
  }
}
