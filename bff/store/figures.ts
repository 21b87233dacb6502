import { sql } from "kysely"
import type { Api } from "../../contract/response.ts"
import { windowMs } from "../../core/budget/rate-limiter.ts"
import { historyLag } from "../../core/jobs/canaries.ts"
import type { JobStore } from "../../core/jobs/job-store.ts"
import { tagForms } from "../../core/jobs/kinds/kind-rules.ts"
import { clockSql, type Engine } from "./engine.ts"

/** What operators page on, as the store has it for all instances together. */
export interface StoreFigures {
  /** Jobs by state; a state without jobs is missing. */
  readonly jobs: Readonly<Record<string, number>>
  readonly rowsUnknown: number
  readonly rowsForPerson: number
  /** Since the call of the oldest unknown row ended; 0 without any. */
  readonly oldestUnknownSeconds: number
  readonly budgetLeft: readonly (readonly [Api, number])[]
  /** The longest that an own effect of the last two hours took, or has taken, to appear in the service's history. */
  readonly historyLagSeconds: number
}

/** Reads the figures for one scrape. `limits`: requests a minute of the connected services. */
export async function readFigures(
  engine: Engine,
  jobs: JobStore,
  limits: readonly (readonly [Api, number])[],
): Promise<StoreFigures> {
  const [states, oldest, budgetLeft, lag] = await Promise.all([
    // The jobs' own counts: no row is read.
    engine.db
      .selectFrom("job")
      .select((eb) => [
        "state",
        eb.fn.countAll<number>().as("jobs"),
        sql<number>`cast(sum(unknown) as bigint)`.as("unknown"),
        sql<number>`cast(sum(attention) as bigint)`.as("attention"),
      ])
      .groupBy("state")
      .execute(),
    // Only busy jobs have unknown rows.
    engine.db
      .selectFrom("job")
      .innerJoin("job_row", "job_row.job", "job.number")
      .select(
        sql<number | null>`${clockSql[engine.kind]} - min(coalesce(job_row.ended_at, job_row.sent_at))`.as(
          "ms",
        ),
      )
      .where("job.busy", "=", sql.lit(1))
      .where("job_row.state", "=", sql.lit("unknown"))
      .executeTakeFirstOrThrow(),
    Promise.all(
      limits.map(
        async ([api, limit]) => [api, (await engine.budget.state(api, limit, windowMs)).left] as const,
      ),
    ),
    historyLag(jobs, tagForms),
  ])
  const sum = (of: "unknown" | "attention") => states.reduce((total, each) => total + each[of], 0)
  return {
    jobs: Object.fromEntries(states.map(({ state, jobs: count }) => [state, count])),
    rowsUnknown: sum("unknown"),
    rowsForPerson: sum("attention"),
    oldestUnknownSeconds: Math.max(0, oldest.ms ?? 0) / 1000,
    budgetLeft,
    historyLagSeconds: (lag?.largest_ms ?? 0) / 1000,
  }
}
