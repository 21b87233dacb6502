import { type RawBuilder, sql } from "kysely"
import { type Reward, rewardReader } from "../../contract/program/reward.ts"
import type { RewardCopy, RewardFilter, RewardQuery } from "../../core/copy/copy-store.ts"
import { fold, foldedWords } from "../../core/copy/member-columns.ts"
import { rewardColumns } from "../../core/copy/reward-columns.ts"
import { type CopyPlace, every, like, recordTable } from "./record-table.ts"

const types = {
  id_key: "text",
  name_key: "text",
  category: "text",
  type: "text",
  status: "text",
  stock: "double precision",
  points_cost: "double precision",
  s_reward: "text",
} as const
const sortColumns = {
  id: "id_key",
  name: "name_key",
  category: "category",
  type: "type",
  status: "status",
  stock: "stock",
  points_cost: "points_cost",
} as const satisfies Readonly<Record<RewardQuery["sort"]["field"], keyof typeof types>>

export type RewardTable = ReturnType<typeof rewardTable>

export function rewardTable(place: CopyPlace) {
  return recordTable(place, {
    name: "reward",
    types,
    shapes: ["one"],
    idOf: ({ id }) => id,
    read: (raw): Reward => rewardReader.tolerant.parse(raw),
    columnsOf: rewardColumns,
  })
}

/** The rewards of a copy. */
export function rewardCopy(
  { db }: CopyPlace,
  table: RewardTable,
): Omit<RewardCopy, "progress" | "setProgress"> {
  const { held, list, recordOf, records } = table
  return {
    ...table,
    put: (sent) => table.put(sent, "one"),
    list: ({ sort: { field, descending }, page, perPage, ...filter }) => {
      const column = sortColumns[field]
      const [key, isText] = [sql.ref(column), types[column] === "text"]
      return table.find({ where: conditionsOf(filter), key, isText, descending, page, perPage })
    },
    facets: async (filter, low) => {
      const where = conditionsOf(filter)
      const categories = await sql<Readonly<Record<string, unknown>> & { count: number }>`
        select found.count as count, ${records} from (
          select min(n) as n, count(*) as count from ${list} where ${where} and category <> ''
          group by category order by 2 desc, 1 limit ${mostCategories}
        ) as found inner join ${held} as held on held.n = found.n order by found.count desc, found.n`.execute(
        db,
      )
      const { rows } = await sql<{ low: number; out: number }>`
        select count(case when stock > 0 and stock <= ${low} then 1 end) as low,
          count(case when stock <= 0 then 1 end) as out from ${list} where ${where}`.execute(db)
      return {
        categories: categories.rows.map((row) => ({ value: recordOf(row).category ?? "", count: row.count })),
        ...(rows[0] ?? { low: 0, out: 0 }),
      }
    },
  }
}

/** Categories that are listed. */
const mostCategories = 50

function conditionsOf({ search = "", minPoints, maxPoints, ...filters }: RewardFilter): RawBuilder<unknown> {
  const words = foldedWords(search)
  const exact = (["category", "type", "status"] as const).flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [sql`${sql.ref(name)} = ${fold(value)}`]
  })
  return every([
    ...words.map((word) => like("s_reward", word)),
    ...exact,
    ...(minPoints === undefined ? [] : [sql`coalesce(points_cost, ${minPoints}) >= ${minPoints}`]),
    ...(maxPoints === undefined ? [] : [sql`coalesce(points_cost, ${maxPoints}) <= ${maxPoints}`]),
  ])
}
