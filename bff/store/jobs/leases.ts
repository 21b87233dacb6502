import { sql } from "kysely"
import { jobNumberOf } from "../../../core/job-data/job-number.ts"
import type { JobStore } from "../../../core/jobs/job-store.ts"
import { clockSql } from "../clock-sql.ts"
import type { Engine } from "../engine.ts"
import { wholeMs } from "../recordset.ts"

/** Who works on which job, on the database's clock. */
export function jobLeases({ db, kind }: Engine): Pick<JobStore, "lease" | "release"> {
  const now = clockSql[kind]
  return {
    async lease(jobId, owner, forMs) {
      const length = wholeMs(forMs)
      // One that ends later than it is long is from before the clock was set back.
      const { rows } = await sql`
        insert into job_lease (job, owner, until_at, for_ms)
        select number, ${owner}, ${now} + ${length}, ${length} from job where number = ${jobNumberOf(jobId) ?? 0}
        on conflict (job) do update 
          set owner = excluded.owner, until_at = excluded.until_at, for_ms = excluded.for_ms
        where job_lease.owner = excluded.owner or job_lease.until_at <= ${now}
          or job_lease.until_at > ${now} + job_lease.for_ms
        returning job`.execute(db)
      return rows.length > 0
    },
    async release(jobId, owner) {
      await db
        .deleteFrom("job_lease")
        .where("job", "=", jobNumberOf(jobId) ?? 0)
        .where("owner", "=", owner)
        .execute()
    },
  }
}
