import { kindsWith } from "../../contract/job-kinds.ts"
import { sql, type SelectQueryBuilder } from "kysely"
import type { CardRecord } from "../../contract/cards.ts"
import {
  type CardQuery,
  cardSearchText,
  comparedReference,
  type CardStore,
  hasIssued,
} from "../../core/gift-cards/card-store.ts"
import { parseJobId } from "../../core/jobs/job-record.ts"
import type { CardReports, CardsSum } from "../../core/reports/report-store.ts"
import type { Engine } from "./engine.ts"
import { cardTable, type Database, rowTable } from "./schema.ts"
import { beyondAscii, containing, dayNumberOf, given, wholeMs } from "./table.ts"

export function cardStore({ db, kind }: Engine): CardStore {
  return {
    async add(card) {
      const columns = cardColumns(card)
      // What a look-up showed of an adopted card stays.
      const { id: _, status: __, looked_up_at: ___, ...facts } = columns
      const result = await db
        .insertInto("card")
        .values(columns)
        .onConflict((conflict) =>
          columns.job === null
            ? conflict.column("id").doNothing()
            : conflict.column("id").doUpdateSet(facts).where("card.job", "is", null),
        )
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    async get(id) {
      const found = await db.selectFrom("card").selectAll().where("id", "=", id).executeTakeFirst()
      return found && cardTable.read(found)
    },

    async ofReferences(template, references) {
      if (references.length === 0) return []
      const wanted = new Set(references.map(comparedReference))
      const columns = ["reference", "own_reference"] as const
      const found = db
        .selectFrom("card")
        .selectAll()
        .where("template", "=", template)
        .where((eb) =>
          eb.or([
            ...columns.map((column) => eb(column, "in", [...wanted])),
            // Only these can be written in several ways, as a service or a row from before has them.
            ...columns.map((column) => beyondAscii(kind, column)),
          ]),
        )
      const cards = (await found.orderBy("id").execute()).map(cardTable.read)
      const isWanted = (text: string | null) => text !== null && wanted.has(comparedReference(text))
      return cards.filter((card) => columns.some((column) => isWanted(card[column])))
    },

    async list(query) {
      const found = filtered(db.selectFrom("card"), query)
      const { total } = await found
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow()
      const cards = await ordered(found, query.sort)
        .selectAll()
        .offset((query.page - 1) * query.per_page)
        .limit(query.per_page)
        .execute()
      return { cards: cards.map(cardTable.read), total }
    },

    update: (id, shown) =>
      db.transaction().execute(async (within) => {
        const found = await within.selectFrom("card").selectAll().where("id", "=", id).executeTakeFirst()
        if (found === undefined) return undefined
        const after = shown(cardTable.read(found))
        const { id: _, ...columns } = cardColumns(after)
        await within.updateTable("card").set(columns).where("id", "=", id).execute()
        return after
      }),

    async facets() {
      const distinct = async (name: "template" | "status") => {
        const rows = await db.selectFrom("card").select(`${name} as value`).distinct().execute()
        return rows.flatMap(({ value }) => value ?? []).toSorted()
      }
      const people = await db
        .selectFrom("card")
        .select((eb) => ["by_id as id", eb.fn.max<string>("by_name").as("name")])
        .groupBy("by_id")
        .execute()
      return {
        templates: await distinct("template"),
        statuses: await distinct("status"),
        people: people.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      }
    },

    async issuedSince(at) {
      const { rows } = await sql<{ cards: number; cents: number }>`
        select count(*) as cards, cast(coalesce(sum(amount_cents), 0) as bigint) as cents from card
        where origin <> 'adopted' and coalesce(is_test, 0) = 0
          and (issued_at is null or issued_at >= ${wholeMs(at)})`.execute(db)
      return { cards: rows[0]?.cards ?? 0, amountCents: rows[0]?.cents ?? 0 }
    },

    ...cardReports(db),

    async missing(limit, jobId) {
      let rows = db
        .selectFrom("job_row")
        .innerJoin("job", "job.number", "job_row.job")
        .where(
          "job.kind",
          "in",
          kindsWith(({ record }) => record === "card"),
        )
        .where("job_row.upstream_id", "is not", null)
        .where("job_row.state", "in", ["confirmed", "absent", "conflict"])
        .where(
          sql<boolean>`not exists (select 1 from card where card.id = job_row.upstream_id and card.job is not null)`,
        )
      if (jobId !== undefined) rows = rows.where("job.number", "=", parseJobId(jobId) ?? 0)
      const ordered = rows.selectAll("job_row").orderBy("job_row.job").orderBy("job_row.row")
      return (await ordered.limit(limit).execute()).map(rowTable.read).filter(hasIssued)
    },
  }
}

function cardReports(db: Engine["db"]): CardReports {
  return {
    async spend({ by, from, to, offsets }) {
      const key = by === "day" ? dayNumberOf("issued_at", offsets) : sql`coalesce(template, '')`
      const isTest = sql`coalesce(is_test, 0) = 1`
      const { rows } = await sql<Omit<CardsSum, "group"> & { grp: string | number }>`
        select ${key} as grp, count(case when ${isTest} then null else 1 end) as cards,
          cast(coalesce(sum(case when ${isTest} then 0 else amount_cents end), 0) as bigint) as cents,
          count(case when ${isTest} then 1 end) as tests
        from card where issued_at >= ${from} and issued_at < ${to} group by ${key}`.execute(db)
      return rows.map(({ grp, ...sum }) => ({ ...sum, group: String(grp) }))
    },

    async expiring(from, to) {
      const { rows } = await sql<{ cards: number; cents: number }>`
        select count(*) as cards, cast(coalesce(sum(amount_cents), 0) as bigint) as cents from card
        where coalesce(is_test, 0) = 0 and expires_at >= ${wholeMs(from)} and expires_at <= ${wholeMs(to)}`.execute(
        db,
      )
      return rows[0] ?? { cards: 0, cents: 0 }
    },
  }
}

/** A card as the columns of its table. */
function cardColumns(card: CardRecord) {
  return { ...cardTable.write(card), search: cardSearchText(card) }
}

type Cards = SelectQueryBuilder<Database, "card", object>

function filtered(cards: Cards, query: CardQuery): Cards {
  const { search, expiring_days, template, status, test, origin, person, member, from, to, now } = query
  const job = query.job === undefined ? undefined : (parseJobId(query.job) ?? 0)
  const is_test = test === undefined ? undefined : Number(test === "yes")
  const conditions = given({ template, status, is_test, origin, job, by_id: person, member_id: member })
  let rows = cards.where((eb) => eb.and(conditions))
  if (search !== undefined) {
    const pattern = containing(search.toLowerCase())
    rows = rows.where(sql<boolean>`search like ${pattern} escape '\\'`)
  }
  if (from !== undefined) rows = rows.where("issued_at", ">=", Date.parse(from))
  if (to !== undefined) rows = rows.where("issued_at", "<=", Date.parse(to))
  if (expiring_days === undefined) return rows
  const last = now + expiring_days * dayMs
  return rows.where("expires_at", ">=", wholeMs(now)).where("expires_at", "<=", wholeMs(last))
}

const dayMs = 86_400_000

/** Unknown times come last either way. */
function ordered(cards: Cards, sort: CardQuery["sort"]): Cards {
  return sort === "expiring"
    ? cards.orderBy("expires_at", (order) => order.asc().nullsLast()).orderBy("id")
    : cards.orderBy("issued_at", (order) => order.desc().nullsLast()).orderBy("id")
}
