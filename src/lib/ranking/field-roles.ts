import type { RankingRoles } from "../../../contract/settings.ts"
import { fieldNames, fieldPath, isOrdered, numbersOf, rankNumber, type RowFields } from "./row-values.ts"

/** Words in English field names, by what they speak of. Any other name is mapped by hand. */
const topics = {
  rank: "rank ranking position pos place placing placement standing ordinal order no nr #",
  score: "score scores point points pts xp",
  /** Words that are a score when nothing better is there. */
  amount:
    "total value amount sum result balance sales revenue earned earnings credits coins stars time duration seconds ms",
  /** Words that are a score when nothing else is a number. */
  count: "count quantity qty number installs awards wins orders units",
  person:
    "member user participant player person people employee contact recipient rep customer installer agent",
  name: "name fullname displayname username nickname nick handle membername",
  whole: "full display complete whole",
  first: "firstname fname givenname forename",
  last: "lastname lname surname familyname",
  id: "id ids uid uuid guid identifier",
  group:
    "company org organisation organization team dealer dealership store branch shop business employer firm account site club department region location office",
  /** The row itself, or the board, not the person in it. */
  entry: "leaderboard board ranking entry row record prize reward badge period season competition",
  title: "title label",
  /** Numbers that speak of another one. */
  change:
    "change delta diff difference previous prev last old movement move trend gap behind ahead min max target goal percent",
  /** Names that never are a person's or a score. */
  other:
    "status state tier level type kind category currency unit date timestamp year month avatar image photo picture icon url link phone locale country",
}
type Topic = keyof typeof topics

const topicsOfWord = new Map<string, Topic[]>()
for (const topic of Object.keys(topics) as Topic[]) {
  for (const word of topics[topic].split(" ")) {
    topicsOfWord.set(word, [...(topicsOfWord.get(word) ?? []), topic])
  }
}

/** What a field's name speaks of: the last name on the way to it, and those before. */
export interface NameTopics {
  readonly words: readonly string[]
  readonly own: ReadonlySet<Topic>
  readonly before: ReadonlySet<Topic>
}

/** Reads a field's name, whether its words are joined by case, underscores, hyphens or spaces. */
export function nameTopics(field: string): NameTopics {
  const path = fieldPath(field)
  const words = wordsOf(path.at(-1) ?? "")
  return { words, own: speaksOf(words), before: speaksOf(path.slice(0, -1).flatMap(wordsOf)) }
}

function wordsOf(name: string): readonly string[] {
  const apart = name.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
  return apart
    .toLowerCase()
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== "")
}

/** What the words speak of. */
export function speaksOf(words: readonly string[]): ReadonlySet<Topic> {
  return new Set(words.flatMap((word) => topicsOfWord.get(word) ?? []))
}

const has = (found: ReadonlySet<Topic>, ...any: readonly Topic[]) => any.some((topic) => found.has(topic))

interface Column extends NameTopics {
  readonly field: string
  readonly values: readonly unknown[]
}

function columnsOf(rows: readonly RowFields[]): readonly Column[] {
  return fieldNames(rows).flatMap((field) => {
    const values = rows.map((row) => row.get(field)).filter((value) => value != null && value !== "")
    return values.length === 0 ? [] : [{ field, ...nameTopics(field), values }]
  })
}

/**
 * Works out which fields of a ranking are what. The document shows none (docs/api/program.md, Leaderboards), so English
 * names are read; any other is mapped by hand. A field has one role at most; what cannot be told stays null. Never throws.
 */
export function inferRoles(rows: readonly RowFields[]): RankingRoles {
  let columns = columnsOf(rows)
  const take = (weigh: (column: Column) => number): string | null => {
    const field = heaviest(columns, weigh)?.field ?? null
    columns = columns.filter((column) => column.field !== field)
    return field
  }
  const rank = take(rankWeight)
  const member = take(memberWeight)
  const score = take(scoreWeight)
  const name = inferName(columns)
  columns = columns.filter(({ field }) => !name.includes(field))
  return { rank, member, name, note: take(noteWeight), score }
}

/** Further fields that hold numbers, any of which may be the score that was meant. */
export function otherNumbers(rows: readonly RowFields[], roles: RankingRoles): readonly string[] {
  return columnsOf(rows)
    .filter(({ field }) => ![roles.rank, roles.score, roles.member].includes(field))
    .filter((column) => columnNumbers(column, false) !== null)
    .map(({ field }) => field)
}

/** What weighs most, of equals the first; what weighs nothing is never chosen. */
export function heaviest<T>(all: readonly T[], weigh: (each: T) => number): T | undefined {
  let best: T | undefined
  let most = 0
  for (const each of all) {
    const weight = weigh(each)
    if (weight > most) [best, most] = [each, weight]
  }
  return best
}

function rankWeight({ own, values }: Column): number {
  const ranks = values.map(rankNumber)
  if (!own.has("rank") || ranks.includes(null) || has(own, "change", "score", "amount", "id")) return 0
  // Of several, the one that counts from the top.
  return ranks[0] !== undefined && ranks[0] !== null && ranks[0] <= 1 ? 2 : 1
}

function memberWeight({ own, before, words, values }: Column): number {
  if (!values.every(isIdValue) || before.has("group") || has(own, "group", "entry", "name")) return 0
  const ofPerson = own.has("person") || before.has("person")
  if (own.has("id")) return ofPerson ? 8 : before.has("entry") ? 0 : 4
  // `user: "u-17"`: one word with a digit in it; no name is written so.
  const id = values.every((value) => typeof value === "number" || /^\S*\d\S*$/.test(String(value)))
  return own.has("person") && words.length === 1 && id ? 5 : 0
}

function isIdValue(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value)
  return typeof value === "string" && value.trim() !== "" && value.length <= 200
}

function scoreWeight(column: Column): number {
  const { own, before } = column
  if (has(own, "change", "rank", "id") || before.has("change")) return 0
  const weights: [boolean, number][] = [
    [own.has("score"), 8],
    [own.has("amount"), 5],
    [has(before, "score", "amount"), 4],
    [own.has("count"), 2],
  ]
  const named = weights.find(([says]) => says)?.[1]
  const numbers = named === undefined ? null : columnNumbers(column, true)
  if (named === undefined || numbers === null) return 0
  return named + (isOrdered(numbers) ? 2 : 0) - (own.has("other") ? 4 : 0)
}

/** Its numbers, when most values are numbers; `units` lets a currency or a unit stand around them. */
function columnNumbers({ values }: Column, units: boolean): readonly number[] | null {
  const numbers = numbersOf(values, units).filter((number) => number !== null)
  return numbers.length > values.length / 2 ? numbers : null
}

/** What stands below a name: whom the person works for. */
function noteWeight(column: Column): number {
  const { own, before } = column
  if (!isText(column) || own.has("id")) return 0
  return own.has("group") || (before.has("group") && own.has("name")) ? 1 : 0
}

const isText = ({ values }: Column) => values.every((value) => typeof value === "string")

/** The fields that name whom a row is about: one, or the first and the last name; none when nothing does. */
function inferName(columns: readonly Column[]): string[] {
  const texts = columns.filter(isText)
  const best = heaviest(texts, nameWeight)
  const first = texts.find((column) => isNamePart(column, "first"))
  const last = texts.find((column) => isNamePart(column, "last"))
  const pair = first !== undefined && last !== undefined && holderOf(first) === holderOf(last)
  if (pair && (best === undefined || nameWeight(best) < 6 || best === first || best === last)) {
    return [first.field, last.field]
  }
  return best === undefined ? [] : [best.field]
}

function nameWeight({ own, before, values }: Column): number {
  if (own.has("entry") || before.has("entry")) return 0
  const texts = values.map((value) => String(value).trim())
  // A web address or a date is no name; an e-mail address is one when nothing else is.
  if (texts.some((text) => /^(?:[a-z][a-z+.-]*:\/\/|data:|\d{4}-\d\d-\d\d)|@/i.test(text))) {
    return texts.every((text) => /^[^\s@]+@[^\s@]+$/.test(text)) ? 1.5 : 0
  }
  if (!texts.every((text) => /\p{L}/u.test(text))) return 0
  // Where companies or teams compete they are the names, but a person goes first.
  if (own.has("group") || before.has("group")) return own.has("id") ? 0 : 1.2
  const person = own.has("person") || before.has("person")
  if (own.has("name")) return 6 + (person ? 1 : 0) + (own.has("whole") ? 2 : 0)
  if (person && !has(own, "id", "other")) return 5
  return own.has("title") ? 3 : 0
}

function isNamePart({ own, words }: Column, part: "first" | "last"): boolean {
  const spelled = part === "first" ? ["first", "given"] : ["last", "family"]
  return own.has(part) || (own.has("name") && words.some((word) => spelled.includes(word)))
}

function holderOf({ field }: Column): string {
  return fieldPath(field).slice(0, -1).join(" ")
}
