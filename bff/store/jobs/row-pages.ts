import { sql, type SelectQueryBuilder } from "kysely"
import { jobNumberOf } from "../../../core/job-data/job-number.ts"
import { rowSearchOf, type RowSearch } from "../../../core/job-data/row-search.ts"
import type { JobStore, RowQuery } from "../../../core/jobs/job-store.ts"
import type { Engine } from "../engine.ts"
import type { Database } from "../schema.ts"
import { rowOf } from "./row-columns.ts"

/** Rows of a job, page by page. */
export function rowPages({ db }: Engine): Pick<JobStore, "rows"> {
  return {
    async rows(jobId, { state, search, page, perPage }) {
      const job = jobNumberOf(jobId) ?? 0
      const ofJob = db.selectFrom("job_row").where("job", "=", job)
      const wanted = rowSearchOf({ search })
      const found = searched(inState(ofJob, state), wanted)
      const before = (page - 1) * perPage
      // Without a filter the rows of a page are known by their numbers.
      const paged =
        state === undefined && wanted === undefined ? found.where("row", ">", before) : found.offset(before)
      const rows = await paged.selectAll().orderBy("row").limit(perPage).execute()
      const total = wanted === undefined ? await keptCount(db, job, state) : await countOf(found)
      return { rows: rows.map(rowOf), total }
    },
  }
}

type Rows = SelectQueryBuilder<Database, "job_row", object>

function inState(rows: Rows, state: RowQuery["state"]): Rows {
  if (state === undefined) return rows
  if (state !== "attention") return rows.where("state", "=", state)
  return rows.where("state", "in", ["absent", "conflict"]).where("decision", "is", null)
}

function searched(rows: Rows, search: RowSearch | undefined): Rows {
  if (search === undefined) return rows
  const pattern = `%${search.text.replace(/[\\%_]/g, String.raw`\$&`)}%`
  const like = sql<boolean>`search like ${pattern} escape '\\'`
  const { row } = search
  if (row === undefined) return rows.where(like)
  return rows.where((eb) => eb.or([like, eb(eb.fn.coalesce("line", "row"), "=", row)]))
}

/** How many there are, as the job keeps it. */
async function keptCount(db: Engine["db"], number: number, state: RowQuery["state"]): Promise<number> {
  const job = await db.selectFrom("job").selectAll().where("number", "=", number).executeTakeFirst()
  if (job === undefined) return 0
  return state === undefined ? job.total + job.excluded : job[state]
}

async function countOf(rows: Rows): Promise<number> {
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow()
  return total
}
