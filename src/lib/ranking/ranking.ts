import type { RankingRoles } from "../../../contract/settings.ts"
import { inferRoles } from "./field-roles.ts"
import {
  fieldNames,
  isRecord,
  numbersOf,
  rankNumber,
  rowFields,
  type RowFields,
  sentRows,
  valueText,
} from "./row-values.ts"

/** A ranking as far as it could be read. */
export interface Ranking {
  /**
   * `standings`: it says who stands where. `table`: rows with fields, of which that is not known. `json`: no rows, or
   * rows without fields. `empty`: a list without rows.
   */
  readonly view: "standings" | "table" | "json" | "empty"
  readonly rows: readonly RowFields[]
  readonly fields: readonly string[]
  /** Which field is what: as somebody said, else as it is recognised. */
  readonly roles: RankingRoles
  /** Fields somebody chose that no row has any more: what was recognised holds in their place. */
  readonly gone: readonly string[]
  readonly standings: Standings
  readonly sent: unknown
}

/** The places of a ranking. */
export interface Standings {
  readonly rows: readonly Standing[]
  /** Whether ranks were sent with every row, with some, or with none: then rows are numbered as they came. */
  readonly ranks: "sent" | "some" | "none"
  readonly leader: "highest" | "lowest" | null
}

/** One place, as far as its row could be read. */
export interface Standing {
  readonly at: number
  readonly rank: number | null
  readonly tied: boolean
  readonly memberId: string | null
  readonly name: string | null
  readonly note: string | null
  readonly score: number | null
  /** The score as it was sent, for what is no number or one too long to keep exactly. */
  readonly sentScore: string
  /** Of the largest score, 0 to 1; null without a score. */
  readonly share: number | null
  /** The score less the one of the place before; null for those who lead, and where either has none. */
  readonly gap: number | null
  readonly leads: boolean
  readonly fields: RowFields
}

/** Reads a board's rankings response, whatever came; `saved` is what somebody said the fields are. */
export function readRanking(sent: unknown, saved: RankingRoles | undefined): Ranking {
  const list = sentRows(sent)
  const rows = (list ?? []).map(rowFields)
  const fields = fieldNames(rows)
  const { roles, gone } = resolveRoles(rows, fields, saved)
  const standings = standingsOf(rows, roles)
  const view = (): Ranking["view"] => {
    if (list?.length === 0) return isRecord(sent) && Object.keys(sent).length > 1 ? "json" : "empty"
    if (fields.length === 0) return "json"
    const who = standings.rows.some(({ name, memberId }) => name !== null || memberId !== null)
    return who && (roles.rank !== null || roles.score !== null) ? "standings" : "table"
  }
  return { view: view(), rows, fields, roles, gone, standings, sent }
}

/** The fields that have a role. */
export function roleFields({ rank, member, name, note, score }: RankingRoles): ReadonlySet<string> {
  return new Set([rank, member, ...name, note, score].filter((field) => field !== null))
}

/** What a person said of a board, where its fields still come; else what is recognised. */
function resolveRoles(
  rows: readonly RowFields[],
  fields: readonly string[],
  saved: RankingRoles | undefined,
): Pick<Ranking, "roles" | "gone"> {
  const inferred = inferRoles(rows)
  if (saved === undefined || rows.length === 0) return { roles: saved ?? inferred, gone: [] }
  const taken = roleFields(saved)
  const comes = (field: string) => fields.includes(field)
  const one = (role: "rank" | "member" | "note" | "score") => {
    const field = saved[role]
    if (field === null || comes(field)) return field
    const instead = inferred[role]
    return instead !== null && taken.has(instead) ? null : instead
  }
  const name = saved.name.every(comes) ? saved.name : inferred.name.filter((field) => !taken.has(field))
  return {
    roles: { rank: one("rank"), member: one("member"), name, note: one("note"), score: one("score") },
    gone: [...taken].filter((field) => !comes(field)),
  }
}

function standingsOf(rows: readonly RowFields[], roles: RankingRoles): Standings {
  const read = readRows(rows, roles)
  const ranked = read.filter(({ rank }) => rank !== null).length
  // Rows without a rank come last, in the order they came.
  const ordered =
    ranked === 0 ? numbered(read) : read.toSorted((a, b) => byRank(a.rank, b.rank) || a.at - b.at)
  const scores = ordered.map(({ score }) => score).filter((score) => score !== null)
  const largest = scores.reduce((most, score) => Math.max(most, score), 0)
  const sameRank = Map.groupBy(ordered, ({ rank }) => rank)
  const first = ordered[0]
  return {
    ranks: ranked === 0 ? "none" : ranked === rows.length ? "sent" : "some",
    leader: leaderOf(scores),
    rows: ordered.map((row, place) => {
      const before = ordered[place - 1]
      const leads =
        row === first || (row.rank !== null && row.rank === first?.rank && row.score === first.score)
      return {
        ...row,
        tied: row.rank !== null && (sameRank.get(row.rank)?.length ?? 0) > 1,
        share: row.score === null ? null : largest === 0 ? 0 : Math.max(0, row.score) / largest,
        gap: leads || before === undefined ? null : differenceOf(row.score, before.score),
        leads,
      }
    }),
  }
}

type ReadRow = Omit<Standing, "tied" | "share" | "gap" | "leads">

function readRows(rows: readonly RowFields[], roles: RankingRoles): ReadRow[] {
  const scores = numbersOf(
    rows.map((row) => valueOf(row, roles.score)),
    true,
  )
  return rows.map((fields, at) => ({
    at,
    fields,
    rank: rankNumber(valueOf(fields, roles.rank)),
    memberId: textOf([valueOf(fields, roles.member)]),
    name: textOf(roles.name.map((field) => fields.get(field))),
    note: textOf([valueOf(fields, roles.note)]),
    score: scores[at] ?? null,
    sentScore: valueText(valueOf(fields, roles.score)),
  }))
}

function valueOf(row: RowFields, field: string | null): unknown {
  return field === null ? undefined : row.get(field)
}

function textOf(values: readonly unknown[]): string | null {
  const parts = values.map((value) => valueText(value).trim()).filter((part) => part !== "")
  return parts.length === 0 ? null : parts.join(" ")
}

/** Without ranks: counted as they came, equal scores one after the other share a place. */
function numbered(rows: readonly ReadRow[]): ReadRow[] {
  let place = 0
  return rows.map((row, at) => {
    if (at === 0 || row.score === null || row.score !== rows[at - 1]?.score) place = at + 1
    return { ...row, rank: place }
  })
}

function byRank(a: number | null, b: number | null): number {
  return a === b ? 0 : (a ?? Infinity) - (b ?? Infinity)
}

function leaderOf(scores: readonly number[]): Standings["leader"] {
  const steps = scores.slice(1).map((score, at) => score - (scores[at] ?? score))
  if (!steps.some((step) => step !== 0)) return null
  if (steps.every((step) => step <= 0)) return "highest"
  return steps.every((step) => step >= 0) ? "lowest" : null
}

/** Beyond it numbers are not kept exactly: what was sent is shown instead. */
const exactTo = Number.MAX_SAFE_INTEGER
/** More decimals than this are noise of the arithmetic. */
const mostDecimals = 6

/** One score less another, without the noise of binary fractions; null where either is missing or too large. */
function differenceOf(score: number | null, before: number | null): number | null {
  if (score === null || before === null || Math.max(Math.abs(score), Math.abs(before)) > exactTo) return null
  return Number((score - before).toFixed(mostDecimals))
}

/** A score as it is read: grouped, with as many decimals as it has, and a true minus. Units are not known. */
export function scoreText(score: number | null, sent: string): string {
  if (score === null || Math.abs(score) > exactTo) return sent
  const text = new Intl.NumberFormat("en-AU", { maximumFractionDigits: mostDecimals }).format(Math.abs(score))
  return score < 0 ? `\u2212${text}` : text
}

/** A gap with its sign: `−4,320`, `+3.5`; those who are level say so. */
export function gapText(gap: number): string {
  if (gap === 0) return "Level"
  return gap > 0 ? `+${scoreText(gap, String(gap))}` : scoreText(gap, String(gap))
}
