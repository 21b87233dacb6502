import { sql } from "kysely"
import * as z from "zod/mini"
import type { BookedRedemption, BookedRow, BookStore } from "../../core/books/book-store.ts"
import { formatJobId, parseJobId } from "../../core/jobs/job-record.ts"
import type { Engine } from "./engine.ts"
import { appendEntry } from "./plain-stores.ts"
import { bookDayTable, bookMonthTable, differenceTable } from "./schema.ts"
import { recordset, wholeMs } from "./table.ts"

const storedBasis = z.array(z.tuple([z.string(), z.tuple([z.number(), z.int()])]))

/** The books (docs/books.md). */
export function bookStore(engine: Engine): BookStore {
  return { ...daysAndMonths(engine), ...differences(engine), ...ownRows(engine) }
}

function daysAndMonths({ db }: Engine) {
  return {
    addDay: async (day) => {
      await db
        .insertInto("book_day")
        .values(bookDayTable.write(day))
        .onConflict((conflict) => conflict.column("day").doNothing())
        .execute()
    },
    days: async (from, to) => {
      const rows = db.selectFrom("book_day").selectAll().where("day", ">=", from).where("day", "<=", to)
      return (await rows.orderBy("day").execute()).map(bookDayTable.read)
    },
    months: async () => {
      const rows = db
        .selectFrom("book_month")
        .select(["month", "statement", "calculated_at", "closed_at", "closed_by", "closed_by_name"])
      return (await rows.orderBy("month").execute()).map(bookMonthTable.read)
    },
    basis: async (month) => {
      const rows = db.selectFrom("book_month").select("basis").where("month", "=", month)
      const { basis = null } = (await rows.executeTakeFirst()) ?? {}
      return basis === null ? undefined : new Map(storedBasis.parse(JSON.parse(basis)))
    },
    keep: async (calculated) => {
      const row = { ...bookMonthTable.write({ ...calculated, closedAt: null, closedBy: null }), basis: null }
      await db
        .insertInto("book_month")
        .values(row)
        .onConflict((conflict) =>
          conflict.column("month").doUpdateSet(row).where("book_month.closed_at", "is", null),
        )
        .execute()
    },
    close: (month, basis, entry) =>
      db.transaction().execute(async (within) => {
        const row = { ...bookMonthTable.write(month), basis: JSON.stringify([...basis]) }
        const closed = await within
          .insertInto("book_month")
          .values(row)
          .onConflict((conflict) =>
            conflict.column("month").doUpdateSet(row).where("book_month.closed_at", "is", null),
          )
          .executeTakeFirst()
        if (closed.numInsertedOrUpdatedRows !== 1n) return false
        if (entry !== undefined) await appendEntry(within, entry())
        return true
      }),
  } satisfies Partial<BookStore>
}

function differences({ db }: Engine) {
  return {
    differences: async (classes) => {
      const all = db.selectFrom("book_difference").selectAll().where("resolved_at", "is", null)
      const open = classes === undefined ? all : all.where("class", "in", classes)
      return (await open.orderBy("first_at").orderBy("id").execute()).map(differenceTable.read)
    },
    put: (changed) =>
      db.transaction().execute(async (within) => {
        // In one order, so that two instances never wait for each other.
        for (const one of changed.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
          const { id, ...row } = differenceTable.write(one)
          await within
            .insertInto("book_difference")
            .values({ id, ...row })
            .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
            .execute()
        }
      }),
    forgetDeparted: async (resolvedBefore, before) => {
      await db
        .deleteFrom("book_difference")
        .where("class", "=", "deleted")
        .where((eb) => eb.or([eb("resolved_at", "<", resolvedBefore), eb("first_at", "<", before)]))
        .execute()
    },
  } satisfies Partial<BookStore>
}

/** Our own rows, as the entries of ledgers are compared with them. */
function ownRows({ kind, patient }: Engine) {
  return {
    booked: async (since, after, limit) => {
      const last = after ?? { at: wholeMs(since), job: "J-0", row: 0 }
      const { rows } = await sql<Omit<BookedRow, "job"> & { job: number }>`
        select job_row.job as job, job_row.row as "row", job_row.member_id as "memberId", job_row.points as points,
          job_row.upstream_id as "transaction", job_row.closed_at as at
        from job_row inner join job on job.number = job_row.job
        where job_row.state = 'confirmed' and job.kind in ('award', 'deduct', 'member-merge')
          and job_row.upstream_id is not null and job_row.member_id is not null and job_row.points <> 0
          and (job_row.closed_at > ${last.at} or job_row.closed_at = ${last.at} and
            (job_row.job > ${parseJobId(last.job) ?? 0}
              or job_row.job = ${parseJobId(last.job) ?? 0} and job_row.row > ${last.row}))
        order by job_row.closed_at, job_row.job, job_row.row limit ${limit}`.execute(patient)
      return rows.map((row) => ({ ...row, job: formatJobId(row.job) }))
    },
    redemptions: async (since) => {
      const points =
        kind === "postgres"
          ? sql`coalesce(notes::json ->> 'points_spent', notes::json ->> 'cost')`
          : sql`coalesce(json_extract(notes, '$.points_spent'), json_extract(notes, '$.cost'))`
      type Row = Omit<BookedRedemption, "job" | "points"> & { job: number; points: number | string | null }
      const { rows } = await sql<Row>`
        select job_row.job as job, job_row.row as "row", job_row.member_id as "memberId", job_row.upstream_id as "order", ${points} as points,
          job_row.first_sent_at as "from", job_row.closed_at as "to"
        from job_row inner join job on job.number = job_row.job
        where job_row.state = 'confirmed' and job.kind = 'redeem' and job_row.closed_at >= ${wholeMs(since)}
          and job_row.member_id is not null
        order by job_row.closed_at, job_row.job, job_row.row`.execute(patient)
      return rows.map((row) => ({
        ...row,
        job: formatJobId(row.job),
        points: row.points === null ? null : Number(row.points),
        from: row.from ?? row.to,
      }))
    },
    tagged: async (tags) => {
      if (tags.length === 0) return []
      const wanted = tags.map(({ batchCode, row, ordinal, memberId, points }, at) => ({
        at,
        code: batchCode,
        row,
        ordinal,
        member: memberId,
        points,
      }))
      const types = {
        at: "bigint",
        code: "text",
        row: "bigint",
        ordinal: "bigint",
        member: "text",
        points: "bigint",
      } as const
      const { rows } = await sql<{ at: number }>`
        select distinct given."at" as "at" from ${recordset(kind, types, wanted)}
          inner join job on job.batch_code = given.code
          inner join job_row on job_row.job = job.number
            and (job_row.row = given."row" or job_row.member_id = given.member and job_row.ordinal = given.ordinal)
        where job_row.state = 'confirmed' and job_row.upstream_id is null
          and job_row.member_id = given.member and job_row.points = given.points
        order by 1`.execute(patient)
      return rows.flatMap(({ at }) => tags[at] ?? [])
    },
  } satisfies Partial<BookStore>
}
