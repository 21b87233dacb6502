import type { ExcludedRow } from "../../../contract/job.ts"
import type { NumberStyle } from "../check/number-style.ts"
import type { RememberedMapping } from "../mapping/mapping-memory.ts"
import type { Delimiter } from "../read/delimiter.ts"
import type { EncodingName } from "../read/encoding.ts"
import type { SheetFacts } from "../recipes/recipe.ts"
import type { CellProblem, RowFilter, RowView, SheetView } from "./sheet-view.ts"

/** A problem that only the page knows, such as a member who is not there. It goes when its cell is edited. */
export interface Mark {
  readonly field: string
  readonly severity: CellProblem["severity"]
  readonly text: string
  /** The row with this number. */
  readonly number?: number
  /** Every row with this text in the field. */
  readonly value?: string
}

/** A text for one cell. */
export interface CellEdit {
  readonly id: number
  readonly column: number
  readonly text: string
}

/** Where rows come from. */
export type ImportSource =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "blank" }
  | {
      readonly kind: "rows"
      readonly name: string
      readonly columns: readonly { readonly name: string; readonly field: string | null }[]
      readonly rows: readonly (readonly string[])[]
      /** Numbers of the rows, such as those of a job; from 1 without them. */
      readonly numbers?: readonly number[]
      readonly marks?: readonly Mark[]
    }

/** How a file is read; what is left out is detected. `header` is the place of the row with the names, from 0. */
export interface ReadingChoice {
  readonly encoding?: EncodingName
  readonly delimiter?: Delimiter
  readonly header?: number | null
  readonly decimal?: NumberStyle
}

/** Rows by their ids, or all that carry a finding of a kind. */
export type Which = readonly number[] | "duplicate" | "outlier" | "check" | "repeat"

/** What the page asks of the sheet. */
export type SheetCommand =
  | { readonly type: "restore" }
  | {
      readonly type: "open"
      readonly source: ImportSource
      readonly remembered: readonly RememberedMapping[]
    }
  | {
      readonly type: "reread"
      readonly change: ReadingChoice
      readonly remembered: readonly RememberedMapping[]
    }
  | { readonly type: "map"; readonly column: number; readonly field: string | null }
  | { readonly type: "fill"; readonly field: string; readonly text: string }
  | { readonly type: "addColumn"; readonly field: string }
  | { readonly type: "edit"; readonly edits: readonly CellEdit[] }
  | { readonly type: "paste"; readonly position: number; readonly column: number; readonly text: string }
  | { readonly type: "decide"; readonly which: Which; readonly decision: "keep" | "leave" | null }
  | { readonly type: "remove"; readonly ids: readonly number[] }
  | { readonly type: "addRows"; readonly count: number }
  | { readonly type: "undo" }
  | { readonly type: "show"; readonly filter: RowFilter }
  | { readonly type: "mark"; readonly marks: readonly Mark[] }
  | { readonly type: "know"; readonly facts: SheetFacts }
  | { readonly type: "choose"; readonly patch: Readonly<Record<string, string>> }
  | { readonly type: "clear" }
  | { readonly type: "window"; readonly from: number; readonly count: number }
  | { readonly type: "next"; readonly position: number; readonly column: number; readonly step: 1 | -1 }
  | { readonly type: "accepted"; readonly offset: number; readonly limit: number }
  | { readonly type: "comparable"; readonly from: number; readonly most: MostRows }
  | { readonly type: "entries"; readonly offset: number; readonly limit: number }
  | { readonly type: "repeats"; readonly found: readonly RepeatedRow[] }
  | { readonly type: "distinct"; readonly field: string }
  | { readonly type: "leftOut" }
  | { readonly type: "fingerprint" }
  | { readonly type: "flush" }

/** A cell, by the place of its row in the view. */
export interface CellPlace {
  readonly position: number
  readonly column: number
}

/** Rows that would be sent, as the server takes them. */
export interface AcceptedRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Their numbers in the file. */
  readonly numbers: readonly number[]
}

/** A row that repeats an earlier one, with the words for it. */
export interface RepeatedRow {
  readonly id: number
  readonly text: string
}

/** Rows that can be compared with earlier ones: nothing is wrong with them, and nobody excluded them by hand. */
export interface ComparableRows {
  readonly ids: readonly number[]
  /** As the server takes them, each as JSON: a text is handed to the page far quicker than a record. */
  readonly texts: readonly string[]
  /** Id from which on there may be more; null: these are the last ones. */
  readonly next: number | null
}

/** What one part of the rows holds at most; a first row that is larger stands alone. */
export interface MostRows {
  readonly rows: number
  /** Of JSON, with the commas between rows. */
  readonly bytes: number
}

/** A row of the file as its job keeps it: one to carry out, or an excluded one. */
export type FileEntry =
  | { readonly line: number; readonly row: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly excluded: Omit<ExcludedRow, "line"> }

/** What the sheet answers. `view` is null while nothing is open. */
export type SheetResult =
  | { readonly type: "view"; readonly view: SheetView | null; readonly key: string }
  | { readonly type: "refused"; readonly title: string; readonly help: string }
  | { readonly type: "rows"; readonly from: number; readonly rows: readonly RowView[] }
  | { readonly type: "place"; readonly place: CellPlace | null }
  | { readonly type: "accepted"; readonly accepted: AcceptedRows }
  | { readonly type: "comparable"; readonly comparable: ComparableRows }
  | { readonly type: "entries"; readonly entries: readonly FileEntry[] }
  | { readonly type: "texts"; readonly texts: readonly string[] }
  | { readonly type: "csv"; readonly csv: string }
  | { readonly type: "fingerprint"; readonly fingerprint: string | null }
  | { readonly type: "done" }
