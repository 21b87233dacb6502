import { columnTexts, isNamed, isWithin, type Column } from "./column.ts"

/** The fields that name whom a row is about: one, or the first and the last name; none when nothing does. */
export function inferName(columns: readonly Column[]): readonly string[] {
  const texts = columns.filter((column) => columnTexts(column) !== null && column.coverage > 0)
  let best: Column | null = null
  let weight = 0
  for (const column of texts) {
    const here = nameWeight(column)
    if (here > weight) [best, weight] = [column, here]
  }
  const pair = firstAndLast(texts)
  const better = pair !== null && (best === null || weight < 6 || pair.includes(best))
  if (better) return pair.map(({ field }) => field)
  return best === null ? [] : [best.field]
}

function nameWeight(column: Column): number {
  if (isNamed(column, "entry") || isWithin(column, "entry")) return 0
  const letters = column.values.every((value) => typeof value === "string" && /\p{L}/u.test(value))
  if (!letters || column.values.some(isAddress)) return isEmail(column) ? 1.5 : 0
  // Where companies or teams compete they are the names, but a person goes first.
  if (isNamed(column, "group") || isWithin(column, "group")) return isNamed(column, "id") ? 0 : 1.2
  const person = isWithin(column, "person") || isNamed(column, "person") ? 1 : 0
  if (isNamed(column, "name")) return 6 + person + (isNamed(column, "whole") ? 2 : 0)
  if (person > 0 && !isNamed(column, "id", "other")) return 5
  if (column.words.own.some((word) => word === "title" || word === "label")) return 3
  if (isNamed(column, "other", "id", "rank", "score", "change")) return 0
  // Nothing says it is a name: texts that differ from row to row, the more so when they are of several words.
  const several = column.values.filter((value) => typeof value === "string" && /\S\s+\S/.test(value)).length
  return column.variety >= 0.6 ? 0.5 + (several / column.values.length) * 0.5 : 0
}

/** A web address, a date or an e-mail address: no name. */
function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^(?:[a-z][a-z+.-]*:\/\/|data:|\d{4}-\d\d-\d\d)|@/i.test(value.trim())
}

function isEmail(column: Column): boolean {
  return column.values.every((value) => typeof value === "string" && /^[^\s@]+@[^\s@]+$/.test(value))
}

function firstAndLast(columns: readonly Column[]): readonly Column[] | null {
  const first = columns.find((column) => isPart(column, "first"))
  const last = columns.find(
    (column) => isPart(column, "last") && column !== first && sameHolder(column, first),
  )
  return first !== undefined && last !== undefined ? [first, last] : null
}

/** `first_name`, or one word of those that mean it in some language. */
function isPart(column: Column, part: "first" | "last"): boolean {
  const { own } = column.words
  const spelled = part === "first" ? ["first", "given"] : ["last", "family"]
  return (own.some((word) => spelled.includes(word)) && isNamed(column, "name")) || isNamed(column, part)
}

function sameHolder(a: Column, b: Column | undefined): boolean {
  return a.words.before.join(" ") === b?.words.before.join(" ")
}
