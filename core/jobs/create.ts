import type { AddRowsBody, CreateJobBody, ExcludedRow } from "../../contract/job.ts"
import { jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import { limits } from "../../contract/limits.ts"
import type { FieldProblem } from "../../contract/response.ts"
import type { ActContext, NewAuditEntry } from "../audit/audit-log.ts"
import { AppError, conflict, invalid, notFound, stored } from "../errors.ts"
import { amountRules, programDay, totalAmount, type AmountRules } from "./amount-limits.ts"
import { bodyHash, cutText, followUpJob } from "./job-record.ts"
import {
  blankRow,
  type EntryBuilder,
  type JobRecord,
  type LinkedJob,
  type MadeJob,
  type NewJob,
  type NewRow,
} from "./job-store.ts"
import { type EngineContext, jobAct, requireJob } from "./engine-context.ts"
import type { RowDefaults } from "./job-kind.ts"
import { rowDefaults, kindRules, newRow } from "./kinds/kind-rules.ts"
import { pauseIfMakerLeft } from "./maker-left.ts"
import { resolveNewRows } from "./resolve-rows.ts"

const mostNamed = 50

/** Validates each row; throws 422 with fields such as `rows.3.points`, numbered from 0. */
export async function readEach<Given, Read>(
  given: readonly Given[],
  read: (one: Given) => Read | Promise<Read>,
  { within = "", mostNamed = given.length } = {},
): Promise<Read[]> {
  const problems: FieldProblem[] = []
  const done: Read[] = []
  for (const [at, one] of given.entries()) {
    try {
      done.push(await read(one))
    } catch (error) {
      const fields = error instanceof AppError ? error.details?.fields : undefined
      if (fields === undefined) throw error
      for (const { field, message } of fields)
        problems.push({ field: `rows.${at}.${within}${field}`, message })
    }
  }
  if (problems.length > 0) throw invalid(422, problems.slice(0, mostNamed))
  return done
}

/** Validates a row by its kind and the limits; throws 422. */
export function readRow(kind: JobKind, input: unknown, defaults: RowDefaults, amounts: AmountRules): NewRow {
  const row = newRow(kind, input, defaults)
  const over = amounts.rowProblem(row)
  if (over !== undefined) throw invalid(422, [over])
  return row
}

/**
 * Creates and, unless it is a draft, starts a job, or adds a row to the requester's open job. The same key and body
 * return the same job and row (`made: false`). Throws 422 for invalid rows, or a key that was used with another body.
 */
export async function makeJob(
  context: EngineContext,
  requester: ActContext,
  body: CreateJobBody,
  key: string,
): Promise<MadeJob> {
  const { user } = requester
  const { kind, options = {} } = body
  const draft = options.draft === true
  const opens = options.open === true
  if (!draft && body.rows.length === 0) throw invalid(422, [{ field: "rows", message: "At least 1 row." }])
  const request = { key, bodyHash: await bodyHash(body) }
  const amounts = await amountRules(context, kind)
  const requested = await readRows(context, body, amounts).catch((error: unknown) =>
    madeBefore(context, user.id, request, error),
  )
  if (!Array.isArray(requested)) return requested
  // A single row comes from a form, where a person waits.
  const isForm = !draft && requested.length === 1
  // Rows of a draft are compared when it is started.
  const { rows, deductions } = draft
    ? { rows: requested, deductions: [] }
    : await resolveNewRows(context, kind, requested)
  const fields = {
    kind,
    title: opens ? openJobTitle : options.title || null,
    state: draft ? ("draft" as const) : ("running" as const),
    createdBy: { id: user.id, name: user.name, role: user.role },
    mode: modeOf(body, isForm),
    bulkSize: options.bulk_size ?? limits.bulkRows,
    lane: isForm ? ("people" as const) : ("jobs" as const),
    hasBatchCode: (await context.settings.get("points")).batch_code,
    file: options.file ?? null,
    reverses: null,
    request,
    closesAt: opens ? await nextMidnight(context) : null,
  }
  const note = opens ? "Open until the end of the day." : `${rows.length} rows.`
  const act = (job: JobRecord) => jobAct(requester, "job.create", job, { note: draft ? "A draft." : note })
  const acts = {
    act: isForm && !opens ? undefined : act,
    linkedAct: linkedAct(requester, deductions),
  }
  const created = await saveJob(context, fields, rows, amounts, acts, deductions)
  const { job, made } = created
  if (!made) return created
  context.jobMoved(job.id)
  if (job.linked !== null) context.jobMoved(job.linked)
  return { ...created, job: await pauseIfMakerLeft(context, requester, job) }
}

/**
 * The job that the same request made before; settings may have changed since.
 * @throws the error of reading the rows if there is none
 */
async function madeBefore(
  context: EngineContext,
  userId: string,
  request: NonNullable<NewJob["request"]>,
  error: unknown,
) {
  const twin = await stored(context.store.jobs.twinOf(userId, request))
  if (twin === undefined || twin === "other_body") throw error
  return twin
}

const openJobTitle = "Shipping parcels"

/** The end of the current day in the program's time zone. */
async function nextMidnight({ settings, store }: EngineContext): Promise<number> {
  const { time_zone } = await settings.get("program")
  return programDay(await stored(store.jobs.now()), time_zone).until
}

async function readRows(context: EngineContext, { kind, rows }: CreateJobBody, amounts: AmountRules) {
  const defaults = await rowDefaults(context, kind)
  const read = await readEach(rows, (row) => readRow(kind, row, defaults, amounts), { mostNamed })
  await kindRules[kind].checkNew?.(context, read)
  return read
}

/** How many rows one request carries; null for kinds without bulk requests. */
function modeOf({ kind, options }: CreateJobBody, isForm: boolean): JobRecord["mode"] {
  if (kindRules[kind].bulk === undefined) return null
  return options?.mode ?? (isForm ? "single" : "bulk")
}

/** Builds the audit entry of the linked job of deductions; undefined without deductions. */
export function linkedAct(requester: ActContext, rows: readonly NewRow[]) {
  if (rows.length === 0) return undefined
  return (made: JobRecord) =>
    jobAct(requester, "job.create", made, { note: `${rows.length} rows that correct earlier awards.` })
}

/** The linked job of deductions that correct earlier awards; undefined without deductions. */
export function linkedJob(
  awards: Pick<JobRecord, "kind" | "title" | "createdBy">,
  rows: readonly NewRow[],
  audit: EntryBuilder | undefined,
): LinkedJob | undefined {
  const kind = jobKindDescriptors[awards.kind].reversedBy
  if (rows.length === 0 || kind === undefined) return undefined
  const title = awards.title === null ? "Correction" : `Correction: ${awards.title}`
  return { job: { ...followUpJob, kind, title, createdBy: awards.createdBy }, rows, audit }
}

/** Stores a job; throws 409, 422. */
export async function saveJob(
  { audit, store }: EngineContext,
  job: NewJob,
  rows: readonly NewRow[],
  amounts: AmountRules,
  { act, linkedAct }: Readonly<Record<"act" | "linkedAct", ((job: JobRecord) => NewAuditEntry) | undefined>>,
  deductions: readonly NewRow[] = [],
): Promise<MadeJob> {
  const result = await stored(
    audit.together(act, (entry) =>
      audit.together(linkedAct, (linkedEntry) =>
        store.jobs.create(job, rows, amounts.most(), entry, linkedJob(job, deductions, linkedEntry)),
      ),
    ),
  )
  if (result === "other_body") throw keyReusedError()
  if (result === "over_job" || result === "over_day") {
    const moved = totalAmount(rows.filter(({ excluded }) => excluded === undefined))
    const taken = totalAmount(deductions)
    const moving = { job: Math.max(moved, taken), added: moved + taken }
    throw await amounts.refusal(result, job.createdBy.id, moving, "Nothing was done.")
  }
  if (result === "reversed")
    throw conflict(
      "Some of these rows are already being reversed. Nothing was done. Reload to see which job reverses them.",
    )
  return result
}

/** 422 for a repeated Idempotency-Key. */
export function keyReusedError(): AppError {
  const message =
    "This Idempotency-Key was used before with another body. Nothing was done. Use a new key for a new request."
  return new AppError({ status: 422, code: "conflict", message })
}

/** Adds rows to a draft; throws 404, 409, 422. */
export async function appendRows(
  context: EngineContext,
  _requester: ActContext,
  id: string,
  body: AddRowsBody,
): Promise<JobRecord> {
  const draft = await requireJob(context, id)
  const amounts = await amountRules(context, draft.kind)
  const defaults = await rowDefaults(context, draft.kind)
  const rows = await readEach(body.rows, (row) => readRow(draft.kind, row, defaults, amounts), { mostNamed })
  const { lines, excluded = [] } = body
  const given = [
    ...rows.map((row, at) => ({ ...row, line: lines?.[at] ?? null })),
    ...excluded.map((row) => excludedRow(draft.kind, row, defaults)),
  ]
  const inOrder =
    lines === undefined ? given : given.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  const most = amounts.most()?.job
  const result = await stored(context.store.jobs.append(id, inOrder, body.first_row, limits.jobRows, most))
  if (typeof result !== "string") return result
  if (result === "missing") throw notFound("Job not found.")
  if (result === "over_job") {
    const job = draft.amount + totalAmount(rows)
    throw await amounts.refusal(result, draft.createdBy.id, { job, added: job }, "Nothing was added.")
  }
  throw conflict(appendRefusals[result])
}

const mostTexts = 50
const longestText = 1000

function excludedRow(kind: JobKind, excluded: ExcludedRow, defaults: RowDefaults): NewRow {
  const { line, input, ...why } = excluded
  const common = { line, excluded: why }
  try {
    return { ...newRow(kind, input, defaults), ...common }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  const texts: Record<string, string | number> = {}
  for (const [field, value] of Object.entries(input)) {
    if (Object.keys(texts).length >= mostTexts) break
    if (typeof value === "string") texts[field] = cutText(value, longestText)
    else if (typeof value === "number") texts[field] = value
  }
  const label = [texts["email"], texts["member_id"], texts["order_id"]].find(
    (text) => text !== "" && text !== undefined,
  )
  return { ...blankRow, input: texts, label: label?.toString() ?? null, ...common }
}

const appendRefusals = {
  not_draft: "This job has already started, so rows can’t be added. Nothing was added.",
  gap: "Earlier rows are missing. Nothing was added. Send them in order.",
  different: "Other rows already have these numbers. Nothing was added.",
  too_many: `A job holds at most ${limits.jobRows} rows. Nothing was added. Make a second job for the rest.`,
}
