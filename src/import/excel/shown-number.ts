import { format, isDateFormat } from "numfmt"
import { minusSigns } from "../read-cell.ts"
import type { NumberStyle } from "../recipe.ts"
import type { CellNote } from "../sheet-data.ts"

/** Excel's own formats by id (ECMA-376, 18.8.30); a workbook has only further ones. */
const ownFormats: ReadonlyMap<number, string> = new Map([
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [5, "$#,##0_);($#,##0)"],
  [6, "$#,##0_);[Red]($#,##0)"],
  [7, "$#,##0.00_);($#,##0.00)"],
  [8, "$#,##0.00_);[Red]($#,##0.00)"],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [37, "#,##0 ;(#,##0)"],
  [38, "#,##0 ;[Red](#,##0)"],
  [39, "#,##0.00;(#,##0.00)"],
  [40, "#,##0.00;[Red](#,##0.00)"],
  [41, '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)'],
  [42, '_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)'],
  [43, '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)'],
  [44, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)'],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mmss.0"],
  [48, "##0.0E+0"],
  [49, "@"],
])

/** Dates and times in the form of each computer: a date, a date with a time, a time. East Asian ones (27 to 58) too. */
const regional = { date: "yyyy-mm-dd", moment: "yyyy-mm-dd hh:mm", time: "hh:mm:ss" } as const
const eastAsianTimes = new Set([32, 33, 34, 35, 55, 56])

/** How the numbers of a style are shown. */
export interface CellFormat {
  readonly code: string
  readonly isDate: boolean
  /** The form of its dates is not in the file. */
  readonly regional: boolean
}

export const generalFormat: CellFormat = { code: "", isDate: false, regional: false }

export function cellFormat(id: number, given: ReadonlyMap<number, string>): CellFormat {
  const code = given.get(id) ?? ownFormats.get(id)
  if (id === 22) return { code: regional.moment, isDate: true, regional: true }
  if (id === 14 || (code === undefined && ((id > 26 && id < 37) || (id > 49 && id < 59)))) {
    const form = eastAsianTimes.has(id) ? regional.time : regional.date
    return { code: form, isDate: true, regional: true }
  }
  if (code === undefined || /^(general|@)?$/i.test(code)) return generalFormat
  if (/\[\$-[Ff]800\]/.test(code)) return { code: regional.date, isDate: true, regional: true }
  if (/\[\$-[Ff]400\]/.test(code)) return { code: regional.time, isDate: true, regional: true }
  if (isDateFormat(code)) return { code, isDate: true, regional: false }
  // Excel takes the separators of numbers from the computer, never from the language of a currency.
  return {
    code: code.replaceAll(/\[\$([^\]-]*)-[^\]]*\]/g, "[$$$1]").replaceAll("[$]", ""),
    isDate: false,
    regional: false,
  }
}

/** Dates of a workbook that counts from 1904 are that many days later. */
const daysTo1904 = 1462
const elapsed = /\[(h+|m+|s+)\]/i
/** Excel keeps 15 digits of a number. */
const mostDigits = 15
const tooLong = 10 ** mostDigits
/** From here on Excel shortens a number without a format: `1.23457E+11`. */
const shortened = 1e11

const signShown = new RegExp(`[${minusSigns}(]`)
const locales = { ".": "en", ",": "de" } as const
const dateLimits = { dateErrorNumber: false, dateSpanLarge: false }

/** A number as Excel shows it, in the given style, and a note if that is not what the cell holds. */
export function shownNumber(
  raw: string,
  { code, isDate }: CellFormat,
  how: { readonly style: NumberStyle; readonly from1904: boolean; readonly allDigits: boolean },
): {
  readonly text: string
  readonly note?: Omit<CellNote, "column" | "cell">
  readonly isShortened?: boolean
} {
  const value = Number(raw)
  if (code === "" && Number.isSafeInteger(value) && Math.abs(value) < shortened)
    return { text: String(value) }
  if (isDate) return { text: shownDate(code, value, how.from1904) ?? raw }
  const held = heldNumber(raw, value, how.style)
  const isLong = Math.abs(value) >= tooLong
  const known = formatted(code === "" ? "General" : code, value, locales[how.style])
  const text = (known ?? held).trim()
  if (isLong) {
    const why = `Excel keeps ${mostDigits} digits of a number: the last ones of ${held} are lost`
    return { text, note: { severity: "problem", text: why } }
  }
  if (known === undefined) {
    return { text, note: { severity: "check", text: "Its number format is unknown: compare it with Excel" } }
  }
  const isShortened = /\dE[+-]\d+$/.test(text)
  if (isShortened && how.allDigits) return { text: held }
  const hidesSign = value < 0 && !signShown.test(text)
  if (!isShortened && !hidesSign && isSame(text, value, how.style)) return { text }
  return {
    text,
    isShortened,
    note: {
      severity: hidesSign || isShortened ? "problem" : "check",
      text: `Excel shows ${text === "" ? "nothing" : text}, the cell holds ${held}`,
      fix: { text: held, label: `Use ${held}` },
    },
  }
}

function shownDate(code: string, value: number, from1904: boolean): string | undefined {
  return formatted(code, from1904 && !elapsed.test(code) ? value + daysTo1904 : value, "en")
}

function formatted(code: string, value: number, locale: string): string | undefined {
  try {
    // Excel rounds the decimal digits: 1.005 to 1.01, although the binary number is a little less.
    const rounded = Number.isInteger(value) ? value : value * (1 + Number.EPSILON)
    return format(code, rounded, { ...dateLimits, locale })
  } catch {
    return undefined
  }
}

/** The number in a cell with the digits that Excel keeps. */
function heldNumber(raw: string, value: number, style: NumberStyle): string {
  if (/^-?\d+$/.test(raw)) return raw
  const exact = Number(value.toPrecision(mostDigits))
  const text = Number.isInteger(exact) && Math.abs(exact) < 1e21 ? BigInt(exact).toString() : String(exact)
  return style === "." ? text : text.replace(".", ",")
}

/** Whether a text shows this number and nothing of it is rounded: also as percent, and as digits in groups. */
function isSame(text: string, value: number, style: NumberStyle): boolean {
  if (value === 0 && text === "") return true
  const plain = style === "." ? text.replaceAll(",", "") : text.replaceAll(".", "").replaceAll(",", ".")
  const found = plain.match(/\d+(\.\d*)?/g) ?? []
  const held = Number(Math.abs(value).toPrecision(mostDigits))
  const isPercent = text.includes("%")
  const shown = Number(found[0]) / (isPercent ? 100 : 1)
  if (found.length === 1) return Number(shown.toPrecision(mostDigits)) === held
  // `0000-0000` and the like only group digits.
  return Number.isInteger(held) && !isPercent && Number(found.join("")) === held
}
