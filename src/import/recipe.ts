import type { AmountLimits } from "../../contract/amount-limits.ts"
import type { CardPairs, CardTemplates } from "../../contract/cards.ts"
import type { JobKind } from "../../contract/job-kinds.ts"
import { limits } from "../../contract/limits.ts"
import { formatCount } from "../lib/format.ts"

/** Limits of a readable file, `cell` in characters. Larger files make a browser tab slow. */
export const importLimits = { bytes: 30_000_000, columns: 100, rows: limits.jobRows, cell: 10_000 } as const

/**
 * Encodings by their `TextDecoder` label (WHATWG Encoding), most likely first. `utf-8-twice`: UTF-8 that was decoded as
 * Windows-1252 and saved as UTF-8 again.
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

/** Delimiters between cells, with their labels. */
export const delimiterLabels = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" } as const
export type Delimiter = keyof typeof delimiterLabels
export const delimiters: readonly Delimiter[] = [",", ";", "\t", "|"]

/** The decimal separator in a file. The other one, spaces and apostrophes group thousands. */
export type NumberStyle = "." | ","

/** What a file is for: a job of a kind, or a comparison with the books, which makes no job. */
export type RecipeName = JobKind | "book-match"

/**
 * How a file for one job kind is read and checked. Functions cannot be posted to a worker, so it looks recipes up by
 * name.
 */
export interface Recipe {
  readonly name: string
  readonly fields: readonly Field[]
  /** Columns such as `metadata.region` hold metadata keys. */
  readonly metadata?: true
  /**
   * Fields of which a row needs one, and the problem of a row without any. The first present is sent; the others are
   * read only if they are `compared` with it.
   */
  readonly oneOf?: {
    readonly keys: readonly string[]
    readonly label: string
    readonly empty: string
    readonly compared?: true
  }
  readonly rules: readonly Rule[]
  /** The person of a row: the same text for rows of the same person, as far as the facts tell. */
  readonly who: (values: RowValues, facts: SheetFacts) => string
  /** The field that is summed up, if any. */
  readonly amount?: string
  readonly build?: (values: RowValues) => Readonly<Record<string, unknown>>
  /** How rows of an existing job are read, if they may have less than a file's. */
  readonly edit?: Recipe
  /** Checks of single cells that were confirmed when the job was created. */
  readonly checksConfirmed?: true
  /** The normalised row for fingerprints and duplicates: equal for equal effects. */
  readonly normal: (values: RowValues) => string
}

/** What a column may hold. */
export interface Field {
  readonly key: string
  readonly label: string
  /** The problem of an empty cell; absent if it is optional. */
  readonly required?: string
  /** Other column names for it, in several languages, comma-separated. */
  readonly names: string
  readonly type?: "id" | "number"
  /**
   * How much a text looks like the field, from 0 to 1. Matches columns without a known name, and rejects a column with
   * the name when most of its texts differ. Absent if only names count.
   */
  readonly likeness?: (text: string) => number
  readonly constant?: true
  /**
   * Absent: an id, number or address, in which every character counts. `free`: a name or reason, with joiners
   * preserved; `raw`: preserved byte for byte.
   */
  readonly text?: "free" | "raw"
  /** Reads a trimmed text that is not empty. Never throws. */
  readonly read: (text: string, context: ReadingContext) => Reading
}

/** The value of a text, or its problem. `as`: the field it really holds; `check`: it has to be confirmed. */
export type Reading =
  | { readonly value: string | number; readonly as?: string; readonly check?: string; readonly fix?: CellFix }
  | { readonly problem: string; readonly fix?: CellFix }

/** A valid text for the cell, and the label of the button that writes it: `Use $500`. */
interface CellFix {
  readonly text: string
  readonly label: string
}

/** A cached member. */
export interface KnownMember {
  readonly id: string
  readonly name: string
  readonly email?: string | undefined
  readonly status?: string | undefined
}

/** Facts from outside the file; absent while unknown. Posted to the worker, so data only. */
export interface SheetFacts {
  /** The known members, against which rows are checked without a request. A stable array. */
  readonly members?: readonly KnownMember[] | undefined
  /** Whether they are all members, as of the last sync. */
  readonly allMembers?: boolean | undefined
  /** The row limits, and the program's currency (ISO 4217). */
  readonly amounts?: { readonly limits: AmountLimits; readonly currency: string } | undefined
  /** Card templates as entered, pairs that the service refused, and references in use as far as they were looked up. */
  readonly cards?:
    | {
        readonly settings: CardTemplates
        readonly pairs: CardPairs
        readonly currency: string
        readonly used?: readonly UsedReference[] | undefined
      }
    | undefined
  /** The month whose books are compared, `2026-10`: which of two readings of a date is meant. */
  readonly month?: string | undefined
}

export interface ReadingContext extends SheetFacts {
  readonly style: NumberStyle
}

/**
 * A reference that cannot be used for another card of its template, and its holder: "card gc_1", "row 3 of job J-7".
 */
export interface UsedReference {
  readonly template: string
  readonly reference: string
  readonly by: string
}

/** A row's values by field; empty and unmapped ones are absent. */
export type RowValues = Readonly<Record<string, string | number>>

/** A row as rules receive it: its values and its number in the file. */
export interface RuleRow {
  readonly values: RowValues
  readonly number: number
}

/** Compares rows without problems. Pure. */
export type Rule = (rows: readonly RuleRow[], context: ReadingContext) => readonly Finding[]

/** A finding that comes from comparing rows; `at` is the row's index among them. */
export interface Finding {
  readonly at: number
  readonly field: string
  readonly severity: "problem" | "check"
  /** Findings with the same code are counted and confirmed together. */
  readonly code: "duplicate" | "outlier" | "check"
  readonly text: string
  readonly fix?: CellFix
}

/** Before the key in the name of a column with metadata. */
const metadataPrefix = "metadata."

/**
 * The field of a column such as `metadata.region`; null for any other name, and for a key that is blank or too long.
 * Keys are byte-exact: `a` and `a ` are two keys (contract/program/member.ts).
 */
export function metadataKey(name: string): string | null {
  const key = /^\s*metadata\.(.*)$/is.exec(name)?.[1] ?? ""
  return key.trim() === "" || key.length > limits.metadata.key ? null : metadataPrefix + key
}

/** The label of a metadata field; quoted if its key starts or ends with a space. */
export function metadataLabel(field: string): string {
  const key = field.slice(metadataPrefix.length)
  return `Custom field: ${key === key.trim() ? key : `"${key}"`}`
}

/** A row for the server, with its metadata keys in one object, and with one of the fields that are one of several. */
export function buildRow(recipe: Recipe, values: RowValues): Readonly<Record<string, unknown>> {
  if (recipe.build !== undefined) return recipe.build(values)
  const [, ...others] = namesOf(recipe, values)
  const metadata = metadataIn(values)
  const fields = Object.entries(values).filter(
    ([key]) => !others.includes(key) && !key.startsWith(metadataPrefix),
  )
  return { ...Object.fromEntries(fields), ...(metadata && { metadata }) }
}

/** The values of columns such as `metadata.region`, by key; undefined without any. */
export function metadataIn<Value>(
  values: Readonly<Record<string, Value>>,
): Record<string, Value> | undefined {
  const found = Object.entries(values).filter(([key]) => key.startsWith(metadataPrefix))
  if (found.length === 0) return undefined
  return Object.fromEntries(found.map(([key, value]) => [key.slice(metadataPrefix.length), value]))
}

/** The fields of which a row needs one, as far as it has them; the first is sent. */
export function namesOf({ oneOf }: Recipe, values: RowValues): readonly string[] {
  return oneOf?.keys.filter((key) => values[key] !== undefined) ?? []
}

/** Rows that are equal to an earlier one. The finding is on the first of the fields that the row has. */
export function duplicates(
  same: (values: RowValues, facts: SheetFacts) => string,
  fields: readonly string[],
  severity: Finding["severity"],
): Rule {
  return (rows, facts) => {
    const first = new Map<string, number>()
    return rows.flatMap(({ values, number }, at): Finding[] => {
      const key = same(values, facts)
      const earlier = first.get(key)
      if (earlier === undefined) {
        first.set(key, number)
        return []
      }
      const field = fields.find((each) => values[each] !== undefined) ?? ""
      return [{ at, field, severity, code: "duplicate", text: `Same as row ${formatCount(earlier)}` }]
    })
  }
}

/** Summary of amounts; null if there are none. The quartiles are existing amounts, not averages. */
export function amountRange(amounts: readonly number[]) {
  if (amounts.length === 0) return null
  const sorted = Float64Array.from(amounts).toSorted()
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return {
    sum: amounts.reduce((sum, amount) => sum + amount, 0),
    count: sorted.length,
    max: at(1),
    usualFrom: at(0.25),
    usualTo: at(0.75),
  }
}

/** Fewer amounts have no outliers. */
const fewestAmounts = 5
/** Factor above the usual amount that is reported: one zero too many. */
const tooLarge = 10
/** How many rows, per row with an amount, must have a tenth of it before it looks like one zero too many. */
const common = 5

/**
 * Amounts ten times the usual one, written with `format`, or rare and exactly ten times a common amount in the file.
 */
export function outliers(field: string, format: (amount: number, context: ReadingContext) => string): Rule {
  return (rows, context) => {
    const amounts = rows.map(({ values }) => Number(values[field]))
    const range = amountRange(amounts)
    if (range === null || range.count < fewestAmounts) return []
    const times = new Map<number, number>()
    for (const amount of amounts) times.set(amount, (times.get(amount) ?? 0) + 1)
    const usual = range.usualTo
    const slip = (amount: number): string | null => {
      if (amount >= usual * tooLarge)
        return `${Math.floor(amount / usual)} times the usual ${format(usual, context)}`
      const tenth = times.get(amount / 10) ?? 0
      return amount > usual * 2 && tenth >= (times.get(amount) ?? 0) * common ? "One zero too many?" : null
    }
    return amounts.flatMap((amount, at): Finding[] => {
      const text = slip(amount)
      return text === null ? [] : [{ at, field, severity: "check", code: "outlier", text }]
    })
  }
}
