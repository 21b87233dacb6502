import type { AmountLimits } from "../../contract/amount-limits.ts"
import type { CardPairs, CardTemplates } from "../../contract/cards.ts"
import { limits } from "../../contract/limits.ts"

/** Bounds of a file that can be read, `cell` in characters. Ours: beyond them a browser tab is no longer quick. */
export const importLimits = { bytes: 30_000_000, columns: 100, rows: limits.jobRows, cell: 10_000 } as const

/** Encodings of a file that are recognised, by the platform's labels, as they are shown. */
export const encodingLabels = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Windows-1252",
} as const
export type EncodingName = keyof typeof encodingLabels

/** What may stand between two cells, as it is shown. */
export const delimiterLabels = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" } as const
export type Delimiter = keyof typeof delimiterLabels

/** What stands before the decimals of a number in a file. The other one, blanks and apostrophes group thousands. */
export type NumberStyle = "." | ","

/** How a file of one kind is read and checked. Functions cannot be posted, so a worker knows recipes by name. */
export interface Recipe {
  readonly name: string
  readonly fields: readonly Field[]
  /** Columns such as `metadata.region` hold keys of its rows' metadata. */
  readonly metadata?: true
  /** Fields of which a row needs one, the first that is there counts; and the problem of a row that has none. */
  readonly oneOf?: { readonly keys: readonly string[]; readonly label: string; readonly empty: string }
  readonly rules: readonly Rule[]
  /** Who a row is about: rows of one person have the same text. */
  readonly who: (values: RowValues) => string
  /** The field that is summed up; absent where there is nothing to sum. */
  readonly amount?: string
  readonly build?: (values: RowValues) => Readonly<Record<string, unknown>>
  /** A row as the fingerprint and the duplicates see it: the same for the same effect. */
  readonly normal: (values: RowValues) => string
}

/** What a column may hold. */
export interface Field {
  readonly key: string
  readonly label: string
  /** The problem of a cell that is empty; absent where it may be. */
  readonly required?: string
  /** Other names of columns that hold it, in several languages, between commas. */
  readonly names: string
  readonly type?: "id" | "number"
  readonly constant?: true
  /**
   * Absent: an id, number or address, in which every character counts. `free`: a name or reason, whose joiners stay;
   * `raw`: kept to the byte.
   */
  readonly text?: "free" | "raw"
  /** Reads a text that is not empty and has no blanks around it. Never throws. */
  readonly read: (text: string, context: ReadingContext) => Reading
}

/** What a text means, or why nothing. `as`: the field it really holds; `check`: a person has to confirm it. */
export type Reading =
  | { readonly value: string | number; readonly as?: string; readonly check?: string; readonly fix?: CellFix }
  | { readonly problem: string; readonly fix?: CellFix }

/** A text that would be right in a cell, and the label of the button that writes it: `Use $500`. */
interface CellFix {
  readonly text: string
  readonly label: string
}

/** What the settings say about rows and no file does; absent while it is not known. Posted to the worker, so it is data only. */
export interface SheetFacts {
  /** Most that a row may move, and the program's currency (ISO 4217). */
  readonly amounts?: { readonly limits: AmountLimits; readonly currency: string } | undefined
  /** Card templates as entered, what the service refused of them, and references in use as far as they were looked up. */
  readonly cards?:
    | {
        readonly settings: CardTemplates
        readonly pairs: CardPairs
        readonly currency: string
        readonly used?: readonly UsedReference[] | undefined
      }
    | undefined
}

export interface ReadingContext extends SheetFacts {
  readonly style: NumberStyle
}

/** A reference that makes no further card of its template, and what has it: "card gc_1", "row 3 of job J-7". */
export interface UsedReference {
  readonly template: string
  readonly reference: string
  readonly by: string
}

/** What a row's fields hold; empty and unmapped ones are absent. */
export type RowValues = Readonly<Record<string, string | number>>

/** A row as rules see it: what it holds, and the number it has in the file. */
export interface RuleRow {
  readonly values: RowValues
  readonly number: number
}

/** Compares rows that have no problem of their own. Pure. */
export type Rule = (rows: readonly RuleRow[], context: ReadingContext) => readonly Finding[]

/** A finding that comes from comparing rows; `at` is the row's index among them. */
export interface Finding {
  readonly at: number
  readonly field: string
  readonly severity: "problem" | "check"
  /** Findings of one kind are counted and decided together. */
  readonly code: "duplicate" | "outlier" | "check"
  readonly text: string
  readonly fix?: CellFix
}

const prefix = "metadata."

/**
 * The field that a column such as `metadata.region` holds; null for any other name, and for a key that is blank or too
 * long. A key stays as it is, byte for byte: `a` and `a ` are two keys (contract/program/member.ts).
 */
export function metadataKey(name: string): string | null {
  const key = /^\s*metadata\.(.*)$/is.exec(name)?.[1] ?? ""
  return key.trim() === "" || key.length > limits.metadata.key ? null : prefix + key
}

/** The label of a metadata field; blanks at an end of its key are made visible by quotes. */
export function metadataLabel(field: string): string {
  const key = field.slice(prefix.length)
  return `Metadata: ${key === key.trim() ? key : `"${key}"`}`
}

/** A row as the server takes it; keys of its metadata are gathered in one object. */
export function buildRow({ build }: Recipe, values: RowValues): Readonly<Record<string, unknown>> {
  if (build !== undefined) return build(values)
  const entries = Object.entries(values)
  const metadata = entries.filter(([key]) => key.startsWith(prefix))
  if (metadata.length === 0) return values
  return {
    ...Object.fromEntries(entries.filter(([key]) => !key.startsWith(prefix))),
    metadata: Object.fromEntries(metadata.map(([key, value]) => [key.slice(prefix.length), value])),
  }
}
