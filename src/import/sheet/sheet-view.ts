import type { NumberStyle } from "../check/number-style.ts"
import type { Spread } from "../check/spread.ts"
import type { CellFix } from "../recipes/recipe.ts"
import type { Delimiter } from "../read/delimiter.ts"
import type { EncodingName } from "../read/encoding.ts"

/** Rows that a view shows: all, or those of one standing; `out` were left out by hand. */
export const rowFilters = ["all", "problems", "checks", "ready", "out"] as const
/** Rows that a view shows. */
export type RowFilter = (typeof rowFilters)[number]

/** How a row stands. A blank row is one that was added and not written in yet. */
export type RowStanding = "problem" | "check" | "ready" | "out" | "blank"

/** What is wrong with a cell, or has to be looked at, in words. */
export interface CellProblem {
  /** Place of the column; null when no column holds the field. */
  readonly column: number | null
  readonly field: string
  /** `problem` leaves the row out; `check` leaves it out until a person keeps it. */
  readonly severity: "problem" | "check"
  readonly code: "cell" | "duplicate" | "outlier" | "check" | "mark" | "repeat"
  readonly text: string
  /** What would be right instead, written by one click. */
  readonly fix?: CellFix
}

/** One row as the page draws it. */
export interface RowView {
  /** Stays with the row as long as the sheet is open. */
  readonly id: number
  /** Number of the row in the file. */
  readonly number: number
  readonly standing: RowStanding
  /** Kept by a person after a check. */
  readonly kept: boolean
  /** The text of each column, as it is edited. */
  readonly texts: readonly string[]
  /** The same as it is read best: numbers grouped, long texts cut. */
  readonly shown: readonly string[]
  readonly problems: readonly CellProblem[]
}

/** A field as the page needs it. */
export interface FieldView {
  readonly key: string
  readonly label: string
  readonly required: boolean
  readonly mono: boolean
  readonly end: boolean
  readonly constant: boolean
}

/** A column of the file. */
export interface ColumnView {
  readonly index: number
  readonly name: string
  readonly field: string | null
}

/** What was recognised in a file, and can be changed. */
export interface Detected {
  readonly encoding: EncodingName | null
  readonly delimiter: Delimiter
  /** Number of the row with the columns' names; null without one. */
  readonly header: number | null
  /** What stands before the decimals of a number. */
  readonly decimal: NumberStyle
  /** Whether any number has a comma or a point. */
  readonly decimalMatters: boolean
  /** Whether the file is still at hand, so that encoding and delimiter can be changed. */
  readonly canReread: boolean
}

/** Everything about an open sheet but its rows. */
export interface SheetView {
  readonly name: string
  readonly detected: Detected | null
  /** "508 rows, comma, UTF-8". */
  readonly description: string
  /** Sentences about what was not read. */
  readonly notes: readonly string[]
  readonly fields: readonly FieldView[]
  /** Whether a column may hold a key of the rows' metadata. */
  readonly takesMetadata: boolean
  readonly columns: readonly ColumnView[]
  /** Values that stand for all rows, by field. */
  readonly constants: Readonly<Record<string, string>>
  /** What is wrong with one of them, by field. */
  readonly constantProblems: Readonly<Record<string, string>>
  /** What every row needs and nothing holds: no row can be sent. */
  readonly missing: readonly { readonly label: string; readonly fields: readonly string[] }[]
  readonly filter: RowFilter
  /** Rows in the current view. */
  readonly shown: number
  readonly counts: Readonly<Record<"all" | "problems" | "checks" | "ready" | "out", number>>
  /** Rows that would be sent. */
  readonly included: number
  /** Of the rows that would be sent; null when there are none or nothing is summed. */
  readonly amounts: (Spread & { readonly largestRow: number }) | null
  readonly people: {
    readonly members: number
    /** Of them, those named by e-mail. */
    readonly byEmail: number
    /** The most rows that one member has. */
    readonly mostRows: number
    /** Members in more than one row. */
    readonly repeated: number
  }
  readonly kept: {
    /** Rows that repeat earlier ones and are sent all the same. */
    readonly repeats: number
    readonly duplicates: number
    readonly outliers: number
    readonly others: number
  }
  readonly leftOut: {
    readonly problems: number
    readonly repeats: number
    readonly duplicates: number
    readonly outliers: number
    readonly others: number
    readonly byHand: number
    readonly total: number
  }
  readonly canUndo: boolean
  /** When the draft was last kept, ms; null when the sheet is no draft from before. */
  readonly restoredAt: number | null
  readonly choices: Readonly<Record<string, string>>
}
