import {
  columnNumbers,
  columnRanks,
  columnTexts,
  countsPlaces,
  isNamed,
  isWithin,
  type Column,
} from "./column.ts"
import { isOrdered } from "./number-text.ts"

/** A number without a name that says so is no score from here on: it is a time or an id. */
const largestUnnamed = 1e11

/** How much a field looks like the rank; 0: not at all. */
export function rankWeight(column: Column): number {
  const ranks = columnRanks(column)
  if (ranks === null || isNamed(column, "change", "score", "amount", "id")) return 0
  const counts = countsPlaces(ranks)
  if (isNamed(column, "rank")) return counts ? 8 : column.coverage >= 0.5 ? 5 : 3
  // Without a name for it, only a count from the top in the order of the rows is one.
  const unnamed = !isNamed(column, "count", "other", "person", "group")
  return unnamed && counts && ranks.length > 1 && column.coverage === 1 ? 2 : 0
}

/** How much a field looks like the member's id. */
export function memberWeight(column: Column): number {
  const single = column.values.length > 1 && column.variety < 0.5
  if (single || !column.values.every(isIdValue) || isWithin(column, "group")) return 0
  if (isNamed(column, "group", "entry", "name")) return 0
  const ofPerson = isNamed(column, "person") || isWithin(column, "person")
  if (isNamed(column, "id")) return ofPerson ? 8 : isWithin(column, "entry") ? 0 : 4
  const bare = isNamed(column, "person") && column.words.own.length === 1
  return bare && column.values.every(looksLikeId) ? 5 : 0
}

function isIdValue(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value)
  return typeof value === "string" && value.trim() !== "" && value.length <= 200
}

/** One word with a digit in it: no name is written so. */
function looksLikeId(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^\S*\d\S*$/.test(value))
}

/** How much a field looks like the score. */
export function scoreWeight(column: Column): number {
  if (isNamed(column, "change", "rank", "id") || isWithin(column, "change")) return 0
  const named = isNamed(column, "score") ? 8 : isNamed(column, "amount") ? 5 : 0
  const numbers = columnNumbers(column, named > 0)
  if (numbers === null) return 0
  const orderly = isOrdered(numbers) ? 2 : 0
  if (named > 0) return named + orderly + (isNamed(column, "other") ? -4 : 0)
  if (isNamed(column, "other") || numbers.some((number) => Math.abs(number) > largestUnnamed)) return 0
  if (isNamed(column, "count")) return 2 + orderly
  const within = isWithin(column, "score", "amount") ? 4 : 0
  // A number that is the same in every row tells nobody apart.
  return within + orderly + (column.variety > 1 / Math.max(2, column.values.length) ? 1 : 0)
}

/** How much a field looks like what stands below a name: whom the person works for. */
export function noteWeight(column: Column): number {
  const texts = columnTexts(column)
  if (texts === null || isNamed(column, "id")) return 0
  return isNamed(column, "group") || (isWithin(column, "group") && isNamed(column, "name")) ? 1 : 0
}
