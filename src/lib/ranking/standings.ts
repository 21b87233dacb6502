import type { RankingRoles } from "../../../contract/settings.ts"
import { numbersOf, rankNumber } from "./number-text.ts"
import { valueText, type RowFields } from "./row-fields.ts"
import { differenceOf } from "./score-text.ts"

/** One place of a ranking, as far as its row could be read. */
export interface Standing {
  /** Where the row stood in the answer, from 0. */
  readonly at: number
  readonly rank: number | null
  /** Somebody else has the same rank. */
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

/** A ranking that was read. */
export interface Standings {
  readonly rows: readonly Standing[]
  /** Whether ranks were sent with every row, with some, or with none: then rows are numbered as they came. */
  readonly ranks: "sent" | "some" | "none"
  /** Which score leads; null when the order does not tell. */
  readonly leader: "highest" | "lowest" | null
}

type Draft = Pick<Standing, "at" | "rank" | "memberId" | "name" | "note" | "score" | "sentScore" | "fields">

/** Puts rows in the order of their ranks, or as they came without ranks, with ties, gaps and shares. Never throws. */
export function standingsOf(rows: readonly RowFields[], roles: RankingRoles): Standings {
  const drafts = draftsOf(rows, roles)
  const ranked = drafts.filter(({ rank }) => rank !== null).length
  const ordered = ranked === 0 ? numbered(drafts) : drafts.toSorted(byRank)
  const scores = ordered.map(({ score }) => score).filter((score) => score !== null)
  const largest = scores.reduce((most, score) => Math.max(most, score), 0)
  const times = countBy(ordered.map(({ rank }) => rank))
  const first = ordered[0]
  return {
    ranks: ranked === 0 ? "none" : ranked === rows.length ? "sent" : "some",
    leader: leaderOf(scores),
    rows: ordered.map((row, place) => {
      const before = ordered[place - 1]
      const leads =
        first !== undefined &&
        (row === first || (row.rank === first.rank && row.score === first.score && row.rank !== null))
      return {
        ...row,
        tied: row.rank !== null && (times.get(row.rank) ?? 0) > 1,
        share: row.score === null ? null : largest === 0 ? 0 : Math.max(0, row.score) / largest,
        gap: leads || before === undefined ? null : differenceOf(row.score, before.score),
        leads,
      }
    }),
  }
}

function draftsOf(taken: readonly RowFields[], roles: RankingRoles): Draft[] {
  const scores = numbersOf(
    taken.map((row) => valueOf(row, roles.score)),
    { units: true },
  )
  return taken.map((fields, at) => ({
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
  const text = values
    .map((value) => valueText(value).trim())
    .filter((part) => part !== "")
    .join(" ")
  return text === "" ? null : text
}

/** Without ranks: counted as they came, equal scores one after the other share a place. */
function numbered(drafts: readonly Draft[]): Draft[] {
  let place = 0
  return drafts.map((draft, at) => {
    const before = drafts[at - 1]
    if (before === undefined || draft.score === null || draft.score !== before.score) place = at + 1
    return { ...draft, rank: place }
  })
}

/** Rows without a rank come last, in the order they came. */
function byRank(a: Draft, b: Draft): number {
  return (a.rank ?? Infinity) === (b.rank ?? Infinity)
    ? a.at - b.at
    : (a.rank ?? Infinity) - (b.rank ?? Infinity)
}

function leaderOf(scores: readonly number[]): Standings["leader"] {
  const steps = scores.slice(1).map((score, at) => score - (scores[at] ?? score))
  if (!steps.some((step) => step !== 0)) return null
  if (steps.every((step) => step <= 0)) return "highest"
  return steps.every((step) => step >= 0) ? "lowest" : null
}

function countBy<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const times = new Map<T, number>()
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1)
  return times
}
