import type { ExcludedRow } from "../../contract/job.ts"
import type { Delimiter } from "./parse-table.ts"
import type { EncodingName } from "./read-file.ts"
import type { Field, Finding, NumberStyle } from "./recipe.ts"
import type { AmountRange } from "./rules.ts"

/** Where rows come from. */
export type ImportSource =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "blank" }
  | {
      readonly kind: "rows"
      readonly name: string
      readonly columns: readonly Column[]
      readonly rows: readonly (readonly string[])[]
      /** Numbers of the rows, such as those of a job; from 1 without them. */
      readonly numbers?: readonly number[]
    }

/** A column of a sheet, and the key of the field it holds. */
export interface Column {
  readonly name: string
  readonly field: string | null
}

/** How a file is read; what is absent is detected. `header` is the index of the row with the names. */
export interface ReadingChoice {
  readonly encoding?: EncodingName
  readonly delimiter?: Delimiter
  readonly header?: number | null
  readonly decimal?: NumberStyle
}

/** A problem that only the page knows, such as an order that does not exist. It goes when its cell is edited. */
export interface Mark {
  readonly field: string
  readonly severity: Finding["severity"]
  readonly text: string
  /** Number of the row. */
  readonly number: number
}

/** A text for one cell. */
export interface CellEdit {
  readonly id: number
  readonly column: number
  readonly text: string
}

/** A cell, by the index of its row in the view. */
export interface CellPlace {
  readonly position: number
  readonly column: number
}

/** Rows by their ids, or all that carry a finding of a kind. */
export type RowSelection = readonly number[] | "duplicate" | "outlier" | "check" | "repeat"

/** A row that repeats an earlier one, with the message for it. */
export interface RepeatedRow {
  readonly id: number
  readonly text: string
}

/** Rows that can be compared with earlier ones: nothing is wrong with them, and nobody excluded them. */
export interface ComparableRows {
  readonly ids: readonly number[]
  /** As the server takes them, each as JSON: a text is handed to the page far quicker than a record. */
  readonly texts: readonly string[]
  /** Id from which on there may be more; null: these are the last ones. */
  readonly next: number | null
}

/** A row of the file as its job keeps it: one to carry out, or an excluded one. */
export type FileEntry =
  | { readonly line: number; readonly row: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly excluded: Omit<ExcludedRow, "line"> }

/** Rows that a view shows: all, or those of one standing; `out` were excluded by hand. */
export const rowFilters = ["all", "problems", "checks", "ready", "out"] as const
/** Rows that a view shows. */
export type RowFilter = (typeof rowFilters)[number]

/** What is wrong with a cell, or has to be confirmed. */
export interface CellProblem extends Pick<Finding, "field" | "severity" | "text" | "fix"> {
  /** Index of the column; null when no column holds the field. */
  readonly column: number | null
  readonly code: "cell" | "mark" | "repeat" | Finding["code"]
}

/** One row as the page draws it. */
export interface RowView {
  /** Stays with the row as long as the sheet is open. */
  readonly id: number
  /** Number of the row in the file. */
  readonly number: number
  /** A blank row is one that was added and is still empty. */
  readonly standing: "problem" | "check" | "ready" | "out" | "blank"
  /** Kept by a person after a check. */
  readonly kept: boolean
  /** The text of each column, as it is edited. */
  readonly texts: readonly string[]
  /** The same to be read: numbers grouped, long texts cut. */
  readonly shown: readonly string[]
  readonly problems: readonly CellProblem[]
}

/** A field as the page needs it. */
export type FieldView = Pick<Field, "key" | "label" | "required" | "mono" | "end" | "constant">

/** How a file was read, which can be changed. */
export interface Detected {
  readonly encoding: EncodingName
  readonly delimiter: Delimiter
  readonly hasHeader: boolean
  readonly decimal: NumberStyle
  /** Whether any number has a comma or a point. */
  readonly decimalMatters: boolean
  /** Whether the file is still available, so that it can be read in another way. */
  readonly canReread: boolean
}

/** Rows that need a person's confirmation, by what kind of finding they carry. */
export interface CheckCounts {
  /** Rows that repeat earlier ones. */
  readonly repeats: number
  readonly duplicates: number
  readonly outliers: number
  readonly others: number
}

/** Everything about an open sheet but its rows. */
export interface SheetView {
  readonly name: string
  readonly detected: Detected | null
  /** "508 rows, comma, UTF-8". */
  readonly description: string
  /** Sentences about rows that are ignored. */
  readonly notes: readonly string[]
  readonly fields: readonly FieldView[]
  /** Whether a column may hold a key of the rows' metadata. */
  readonly takesMetadata: boolean
  readonly columns: readonly Column[]
  /** Values for all rows, by field. */
  readonly constants: Readonly<Record<string, string>>
  /** What is wrong with one of them, by field. */
  readonly constantProblems: Readonly<Record<string, string>>
  /** What every row needs and nothing holds: no row can be sent. */
  readonly missing: readonly { readonly label: string; readonly fields: readonly string[] }[]
  readonly filter: RowFilter
  /** Rows in the current view. */
  readonly shown: number
  readonly counts: Readonly<Record<RowFilter, number>>
  /** Rows that would be sent. */
  readonly included: number
  /** Of the rows that would be sent; null when there are none or nothing is summed. */
  readonly amounts: (AmountRange & { readonly largestRow: number }) | null
  readonly people: {
    readonly members: number
    /** Of them, those named by e-mail. */
    readonly byEmail: number
    /** The most rows that one member has. */
    readonly mostRows: number
    /** Members in more than one row. */
    readonly repeated: number
  }
  /** Rows that are sent in spite of a check. */
  readonly kept: CheckCounts
  readonly leftOut: CheckCounts & {
    readonly problems: number
    readonly byHand: number
    readonly total: number
  }
  readonly canUndo: boolean
  /** When the restored draft was last kept, ms since 1970; null when the sheet was opened here. */
  readonly restoredAt: number | null
  readonly choices: Readonly<Record<string, string>>
}
