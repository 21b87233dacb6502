import type { JobKind } from "../../../contract/job-kinds.ts"
import type { FieldProblem } from "../../../contract/response.ts"
import { isErrorCell } from "../../../contract/typed-text.ts"
import { memberPlan } from "../../gateway/upstream-read.ts"
import { invalid } from "../../errors.ts"
import type { EngineContext } from "../engine-context.ts"
import type { JobContext, KindRules, RowDefaults } from "../job-kind.ts"
import { blankRow, type JobRecord, type NewRow } from "../job-store.ts"
import { giftcard } from "./giftcard.ts"
import { memberCreate } from "./member-create.ts"
import { memberMerge } from "./member-merge.ts"
import { memberUpdate } from "./member-update.ts"
import { orderReturn } from "./order-return.ts"
import { orderUpdate } from "./order-update.ts"
import { award, deduct } from "./points.ts"
import { redeem } from "./redeem.ts"

/** The rules of each kind of job. */
export const kindRules: Readonly<Record<JobKind, KindRules>> = {
  award,
  deduct,
  "member-create": memberCreate,
  "member-update": memberUpdate,
  "member-merge": memberMerge,
  redeem,
  "order-update": orderUpdate,
  "order-return": orderReturn,
  giftcard,
}

/** How effects of all kinds carry their rows' tags. */
export const tagForms = [...new Set(Object.values(kindRules).flatMap(({ tags }) => tags?.forms ?? []))]

/** The engine's context with a job and the rules of its kind. */
export function jobContext(engine: EngineContext, job: JobRecord): JobContext {
  return { ...engine, job, rules: kindRules[job.kind] }
}

/** A row from the input of a form or file. @throws AppError 422 by field */
export function newRow(kind: JobKind, input: unknown, defaults: RowDefaults): NewRow {
  const errors = errorCells(input)
  if (errors.length > 0) throw invalid(422, errors)
  return { ...blankRow, ...kindRules[kind].newRow(input, defaults) }
}

/** Fields with a spreadsheet error, at any depth. `expected` was read from the service, not typed. */
function errorCells(input: unknown, path = ""): FieldProblem[] {
  if (typeof input === "string") {
    const message = "This is a spreadsheet’s error, not a value."
    return isErrorCell(input) ? [{ field: path, message }] : []
  }
  if (typeof input !== "object" || input === null) return []
  return Object.entries(input).flatMap(([name, value]) =>
    path === "" && name === "expected" ? [] : errorCells(value, path === "" ? name : `${path}.${name}`),
  )
}

/** @throws AppError when a kind's own reads fail */
export async function rowDefaults(context: EngineContext, kind: JobKind): Promise<RowDefaults> {
  const isRecordId = (id: string) => context.reads.cached(memberPlan(id)) !== undefined
  return { isRecordId, ...(await kindRules[kind].defaults?.(context)) }
}
