import { nameWords, speaksOf, type FieldWord, type NameWords } from "./field-words.ts"
import { isOrdered, numbersOf, rankNumber } from "./number-text.ts"
import { fieldNames, type RowFields } from "./row-fields.ts"

/** One field over all rows, with what can be said of it. */
export interface Column {
  readonly field: string
  readonly words: NameWords
  /** Values that are there. */
  readonly values: readonly unknown[]
  /** Of the rows, how many have a value, 0 to 1. */
  readonly coverage: number
  /** Of the values, how many differ, 0 to 1. */
  readonly variety: number
}

/** The fields of the rows as columns, in the order they first came. */
export function columnsOf(rows: readonly RowFields[]): readonly Column[] {
  return fieldNames(rows).map((field) => {
    const values = rows
      .map((row) => row.get(field))
      .filter((value) => value !== null && value !== undefined && value !== "")
    return {
      field,
      words: nameWords(field),
      values,
      coverage: values.length / rows.length,
      variety: values.length === 0 ? 0 : new Set(values).size / values.length,
    }
  })
}

/** Whether the field's own name speaks of any of these. */
export function isNamed(column: Column, ...what: readonly FieldWord[]): boolean {
  return what.some((each) => speaksOf(column.words.own, each))
}

/** Whether a name on the way to the field speaks of any of these. */
export function isWithin(column: Column, ...what: readonly FieldWord[]): boolean {
  return what.some((each) => speaksOf(column.words.before, each))
}

/** Its numbers, when most values are numbers; `units` lets a currency or a unit stand around them. */
export function columnNumbers(column: Column, units: boolean): readonly number[] | null {
  const numbers = numbersOf(column.values, { units }).filter((number) => number !== null)
  return numbers.length > column.values.length / 2 ? numbers : null
}

/** Its ranks, when every value is one. */
export function columnRanks(column: Column): readonly number[] | null {
  const ranks = column.values.map(rankNumber).filter((rank) => rank !== null)
  return ranks.length === column.values.length && ranks.length > 0 ? ranks : null
}

/** Its texts, when every value is a text. */
export function columnTexts(column: Column): readonly string[] | null {
  const texts = column.values.filter((value) => typeof value === "string")
  return texts.length === column.values.length && texts.length > 0 ? texts : null
}

/** Whether numbers count places from the top: 1 or 0 first, then a step at a time or a tie, with its gap or without. */
export function countsPlaces(ranks: readonly number[]): boolean {
  const first = ranks[0]
  if (first === undefined || first > 1 || (ranks.length > 1 && !isOrdered(ranks))) return false
  return ranks.every((rank, at) => rank >= (ranks[at - 1] ?? first) && rank <= first + at)
}
