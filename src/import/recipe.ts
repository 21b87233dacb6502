import type { AmountLimits } from "../../contract/amount-limits.ts"
import type { CardPairs, CardTemplates } from "../../contract/cards.ts"
import { limits } from "../../contract/limits.ts"

/** Bounds of a file that can be read, `cell` in characters. Ours: beyond them a browser tab is no longer quick. */
export const importLimits = { bytes: 30_000_000, columns: 100, rows: limits.jobRows, cell: 10_000 } as const

/**
 * Encodings of a file by the labels of `TextDecoder` (WHATWG Encoding), the likeliest first. `utf-8-twice`: UTF-8 that a
 * program took for Windows-1252 and saved as UTF-8 again.
 */
export const encodings = [
  ["utf-8", "UTF-8"],
  ["utf-8-twice", "UTF-8, saved twice"],
  ["utf-16le", "UTF-16 LE"],
  ["utf-16be", "UTF-16 BE"],
  ["windows-1252", "Windows-1252 (Western)"],
  ["macintosh", "Mac OS Roman"],
  ["windows-1250", "Windows-1250 (Central European)"],
  ["windows-1251", "Windows-1251 (Cyrillic)"],
  ["windows-1253", "Windows-1253 (Greek)"],
  ["windows-1254", "Windows-1254 (Turkish)"],
  ["windows-1255", "Windows-1255 (Hebrew)"],
  ["windows-1256", "Windows-1256 (Arabic)"],
  ["windows-1257", "Windows-1257 (Baltic)"],
  ["windows-1258", "Windows-1258 (Vietnamese)"],
  ["windows-874", "Windows-874 (Thai)"],
  ["shift_jis", "Shift JIS (Japanese)"],
  ["euc-jp", "EUC-JP (Japanese)"],
  ["iso-2022-jp", "ISO-2022-JP (Japanese)"],
  ["gb18030", "GB18030 (Simplified Chinese)"],
  ["big5", "Big5 (Traditional Chinese)"],
  ["euc-kr", "EUC-KR (Korean)"],
  ["x-mac-cyrillic", "Mac OS Cyrillic"],
  ["koi8-r", "KOI8-R (Russian)"],
  ["koi8-u", "KOI8-U (Ukrainian)"],
  ["ibm866", "DOS 866 (Cyrillic)"],
  ["iso-8859-2", "ISO 8859-2 (Central European)"],
  ["iso-8859-3", "ISO 8859-3 (South European)"],
  ["iso-8859-4", "ISO 8859-4 (Baltic)"],
  ["iso-8859-5", "ISO 8859-5 (Cyrillic)"],
  ["iso-8859-6", "ISO 8859-6 (Arabic)"],
  ["iso-8859-7", "ISO 8859-7 (Greek)"],
  ["iso-8859-8", "ISO 8859-8 (Hebrew)"],
  ["iso-8859-10", "ISO 8859-10 (Nordic)"],
  ["iso-8859-13", "ISO 8859-13 (Baltic)"],
  ["iso-8859-14", "ISO 8859-14 (Celtic)"],
  ["iso-8859-15", "ISO 8859-15 (Western)"],
] as const
export const encodingNames = encodings.map(([name]) => name)
export type EncodingName = (typeof encodings)[number][0]

export function encodingLabel(name: EncodingName): string {
  return encodings.find(([each]) => each === name)?.[1] ?? name
}

/** What may stand between two cells, as it is shown. */
export const delimiterLabels = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" } as const
export type Delimiter = keyof typeof delimiterLabels
export const delimiters: readonly Delimiter[] = [",", ";", "\t", "|"]

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
  /**
   * How much a text looks like the field, from 0 to 1. A column of no known name is found by it, and one of a known name
   * is passed by where most of its texts are something else; absent where only names tell.
   */
  readonly likeness?: (text: string) => number
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

/** A member that this browser has read. */
export interface KnownMember {
  readonly id: string
  readonly name: string
  readonly email?: string | undefined
  readonly status?: string | undefined
}

/** What the settings say about rows and no file does; absent while it is not known. Posted to the worker, so it is data only. */
export interface SheetFacts {
  /** Members as far as they were read: rows about them are checked, no service is asked. A stable array. */
  readonly members?: readonly KnownMember[] | undefined
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
  return `Custom field: ${key === key.trim() ? key : `"${key}"`}`
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
