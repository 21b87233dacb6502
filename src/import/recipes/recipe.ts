import type { AmountLimits } from "../../../contract/limits.ts"
import type { CardPairs, CardTemplates } from "../../../contract/cards.ts"
import type { NumberStyle } from "../check/number-style.ts"

/** A text that would be right in a cell, and what the button that writes it says: `Use $500`. */
export interface CellFix {
  readonly text: string
  readonly label: string
}

/**
 * How a cell's text reads: what it means, or why it means nothing. `as`: the field it holds in truth, such as an e-mail
 * address among member ids.
 */
export type Reading =
  | {
      readonly value: string | number | null
      readonly as?: string
      readonly check?: string
      readonly fix?: CellFix
    }
  | { readonly problem: string; readonly fix?: CellFix }

/** A reference that makes no further card of its template, and what has it. */
export interface UsedReference {
  readonly template: string
  readonly reference: string
  /** "card gc_1", "row 3 of job J-7". */
  readonly by: string
}

/** What the desk's settings say about rows, and no file does. Posted to the worker, so it is data only. */
export interface SheetFacts {
  /** Most that a row may move, and the program's currency (ISO 4217); absent while the limits are not known. */
  readonly amounts?: { readonly limits: AmountLimits; readonly currency: string }
  /** Card templates as they were entered, what the service refused of them, the program's currency (ISO 4217). */
  readonly cards?: {
    readonly settings: CardTemplates
    readonly pairs: CardPairs
    readonly currency: string
    /** References that something at the desk has, each on its template; as far as it was looked up. */
    readonly used?: readonly UsedReference[]
  }
}

/** What a reader of cells has to know about the file, and about the desk. */
export interface ReadingContext extends SheetFacts {
  readonly style: NumberStyle
}

/** One field that rows of a kind have. */
export interface Field {
  readonly key: string
  readonly label: string
  readonly required: boolean
  /** Other names of columns that hold it, in several languages; compared by `plainName`. */
  readonly names: readonly string[]
  /** Shown in monospace: ids and references. */
  readonly mono?: boolean
  /** Shown at the right end: numbers. */
  readonly end?: boolean
  /** One value may stand for all rows. */
  readonly constant?: boolean
  /** Reads a text that is not empty, blanks around it dropped. Never throws. */
  readonly read: (text: string, context: ReadingContext) => Reading
  /** Said when a required cell is empty. */
  readonly empty: string
}

/** Fields of which a row needs one; the first that is there counts, the others are not looked at. */
export interface OneOf {
  readonly keys: readonly string[]
  readonly label: string
  /** Said when a row has none. */
  readonly empty: string
}

/** What a row's fields hold; empty and unmapped ones are absent. */
export type RowValues = Readonly<Record<string, string | number>>

/** A finding that comes from comparing rows. */
export interface Finding {
  /** Place in the rows that were given. */
  readonly at: number
  readonly field: string
  readonly severity: "problem" | "check"
  /** What kind of finding it is, so that it can be counted and decided together. */
  readonly code: "duplicate" | "outlier" | "check"
  readonly text: string
  readonly fix?: CellFix
}

/** A row as rules see it: what it holds, and the number it has in the file. */
export interface RuleRow {
  readonly values: RowValues
  readonly number: number
}

/** Compares rows that have no problem of their own. Pure. */
export type Rule = (rows: readonly RuleRow[], context: ReadingContext) => readonly Finding[]

/** How a file of one kind is read and checked. Functions cannot be posted, so a worker knows recipes by name. */
export interface Recipe {
  readonly name: string
  readonly fields: readonly Field[]
  /** Columns such as `metadata.region` hold keys of its rows' metadata. */
  readonly metadata?: true
  readonly oneOf?: OneOf
  readonly rules: readonly Rule[]
  /** Who a row is about: rows of one person have the same text. */
  readonly who: (values: RowValues) => string
  /** What is summed up; absent where there is nothing to sum. */
  readonly amount?: string
  /** A row as the server takes it. */
  readonly build: (values: RowValues) => Readonly<Record<string, unknown>>
  /** A row as the fingerprint sees it: the same for the same effect. */
  readonly normal: (values: RowValues) => string
}
