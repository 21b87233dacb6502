import { amountOf, dayRefusal, jobRefusal, limitOf, rowRefusal } from "../../contract/amount-limits.ts"
import type { FieldProblem } from "../../contract/response.ts"
import type { JobKind } from "../../contract/job-kinds.ts"
import { dayAt, addDays, startOfDay } from "../../contract/zoned-days.ts"
import { AppError, stored } from "../errors.ts"
import type { EngineContext } from "./engine-context.ts"
import type { MostMoved, NewRow, OverLimit } from "./job-store.ts"

/** The current limits of a kind of job (docs/jobs.md, Limits on amounts). */
export interface AmountRules {
  /** Undefined when the row may be sent. */
  rowProblem(row: Pick<NewRow, "points" | "input">): FieldProblem | undefined
  /** The store's limits for a job started now or at `startedAt` (the store's clock); undefined: no limits. */
  most(startedAt?: number): MostMoved | undefined
  /** The 422 of a change that would exceed a limit. `moved`: points or cents; `rest`: what was and was not done. */
  refusal(
    passed: OverLimit,
    makerId: string,
    moved: { readonly job: number; readonly added: number; readonly startedAt?: number | undefined },
    rest: string,
  ): Promise<AppError>
}

/** Reads the limits of Settings once, with the program's currency and day. @throws AppError 503 */
export async function amountRules(context: EngineContext, kind: JobKind): Promise<AmountRules> {
  const { settings, store } = context
  const limit = limitOf(kind, await settings.get("limits"))
  if (limit === undefined) return noAmountRules
  const { currency, time_zone: zone } = await settings.get("program")
  const now = await stored(store.jobs.now())
  const dayOf = (at = now) => {
    const { from, until } = programDay(at, zone)
    // No end for today: a job stored just after midnight still counts for this check.
    return { kinds: limit.kinds, from, ...(until <= now && { until }) }
  }
  return {
    rowProblem(row) {
      const message = rowRefusal(limit, amountOf(row), currency)
      const field = limit.unit === "cents" ? "denomination" : "points"
      return message === undefined ? undefined : { field, message }
    },
    most: (startedAt) => ({ job: limit.job, day: { ...dayOf(startedAt), most: limit.day } }),
    async refusal(passed, makerId, { job, added, startedAt }, rest) {
      const today = async () => stored(store.jobs.startedAmount(makerId, dayOf(startedAt)))
      const text =
        passed === "over_job"
          ? jobRefusal(limit, job, currency)
          : dayRefusal(limit, added, await today(), currency)
      // Undefined when rows were cancelled since the check.
      const message = `${text ?? "A limit was passed a moment ago. Try again."} ${rest}`
      return new AppError({ status: 422, code: "over_limit", message })
    },
  }
}

/** No limits, for example for reversals, whose amounts were within limits before. */
export const noAmountRules: AmountRules = {
  rowProblem: () => undefined,
  most: () => undefined,
  refusal: async () => new AppError({ status: 422, code: "over_limit", message: "Nothing was done." }),
}

/** Start of the program's day that contains `at`, and of the next day; ms since 1970. */
export function programDay(at: number, zone: string): { readonly from: number; readonly until: number } {
  const day = dayAt(at, zone)
  return { from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) }
}

/** Total of the rows, in points or cents. */
export function totalAmount(rows: readonly Pick<NewRow, "points" | "input">[]): number {
  return rows.reduce((sum, row) => sum + amountOf(row), 0)
}
