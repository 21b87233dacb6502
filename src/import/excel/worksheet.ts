import { counted } from "../../lib/format.ts"
import { trimCell } from "../read-file.ts"
import { importLimits, type NumberStyle } from "../recipe.ts"
import type { CellNote } from "../sheet-data.ts"
import { type CellFormat, generalFormat, shownNumber } from "./shown-number.ts"
import {
  attributeReader,
  cellTextOf,
  createTextReader,
  damagedWorkbook,
  isOn,
  type TagReader,
} from "./xml.ts"

const hiddenOf = attributeReader("hidden")
const maxOf = attributeReader("max")
const minOf = attributeReader("min")
const placeName = attributeReader("r")
const rangeOf = attributeReader("ref")
const styleOf = attributeReader("s")
const typeOf = attributeReader("t")

/** How the cells of a sheet are read: what the workbook's other parts say, and what the user chose. */
interface SheetSettings {
  readonly shared: readonly string[]
  readonly formats: readonly CellFormat[]
  readonly from1904: boolean
  readonly style: NumberStyle
  readonly hiddenRows: boolean
  readonly hiddenColumns: boolean
  readonly allDigits: boolean
}

interface OpenCell {
  readonly column: number
  readonly type: string
  readonly format: CellFormat
  value: string | null
  formula: string | null
}

/** Covered cells of merged ranges: more are no ordinary sheet. */
const mostMerged = 1_000_000

/** The index of a column and the number of a row: 2 and 5 for `C5`. */
function placeOf(reference: string): readonly [column: number, row: number] {
  const [, letters = "", digits] = /^\$?([A-Z]{1,3})\$?(\d+)$/.exec(reference) ?? []
  if (digits === undefined) throw damagedWorkbook()
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return [column - 1, Number(digits)]
}

/** Reads the cells of a worksheet as texts. Rows and columns without any text are not counted as hidden. */
export class WorksheetReader implements TagReader {
  private readonly settings: SheetSettings
  private readonly rows: string[][] = []
  private readonly numbers: number[] = []
  private readonly cellNotes = new Map<number, CellNote[]>()
  private readonly hidden: (readonly [from: number, to: number])[] = []
  private readonly hiddenFilled = new Set<number>()
  private readonly merged: string[] = []
  private readonly inline = createTextReader()
  private readonly counts = {
    rows: 0,
    width: 0,
    hiddenRows: 0,
    shortened: 0,
    formulas: 0,
    dates: 0,
    regional: 0,
  }
  private rowNumber = 0
  private isRowHidden = false
  private column = -1
  private texts: string[] = []
  private notes: CellNote[] = []
  private cell: OpenCell | null = null
  private into: "value" | "formula" | "inline" | null = null

  constructor(settings: SheetSettings) {
    this.settings = settings
  }

  open = (tag: string, attributes: string): void => {
    if (this.cell !== null) return this.openInCell(tag)
    if (tag === "c") return this.openCell(attributes)
    if (tag === "row") {
      this.rowNumber = Number(placeName(attributes) ?? this.rowNumber + 1)
      if (!Number.isSafeInteger(this.rowNumber)) throw damagedWorkbook()
      this.isRowHidden = isOn(hiddenOf(attributes))
      this.column = -1
      this.texts = []
      this.notes = []
    } else if (tag === "col" && isOn(hiddenOf(attributes))) {
      this.hidden.push([Number(minOf(attributes)) - 1, Number(maxOf(attributes)) - 1])
    } else if (tag === "mergeCell") this.merged.push(rangeOf(attributes) ?? "")
  }

  close = (tag: string): void => {
    if (this.into === "inline") this.inline.close(tag)
    if (tag === "c" && this.cell !== null) this.closeCell(this.cell)
    else if (tag === "row") this.closeRow()
    else if (tag === "v" || tag === "f" || tag === "is") this.into = null
  }

  text = (text: string): void => {
    if (this.cell === null || this.into === null) return
    if (this.into === "inline") this.inline.add(text)
    else this.cell[this.into] += text
  }

  private openInCell(tag: string): void {
    if (this.cell === null) return
    if (tag === "v") {
      this.into = "value"
      this.cell.value = ""
    } else if (tag === "f") {
      this.into = "formula"
      this.cell.formula = ""
    } else if (tag === "is") {
      this.into = "inline"
      this.inline.begin()
    } else if (this.into === "inline") this.inline.open(tag)
  }

  private openCell(attributes: string): void {
    const place = placeName(attributes)
    this.column = place === undefined ? this.column + 1 : placeOf(place)[0]
    this.inline.begin()
    this.cell = {
      column: this.column,
      type: typeOf(attributes) ?? "n",
      format: this.settings.formats[Number(styleOf(attributes) ?? 0)] ?? generalFormat,
      value: null,
      formula: null,
    }
  }

  private closeCell(cell: OpenCell): void {
    this.cell = null
    this.into = null
    const shown = this.shownCell(cell)
    const text = trimCell(shown.text.replaceAll(/\r\n?/g, "\n"))
    const isHidden = this.isHidden(cell.column)
    if (text !== "" && isHidden) this.hiddenFilled.add(cell.column)
    if (isHidden && !this.settings.hiddenColumns) return
    const column = this.columnOf(cell.column)
    if (text !== "") this.texts[column] = text
    if (shown.note !== undefined) this.notes.push({ ...shown.note, column, cell: text })
  }

  private shownCell(cell: OpenCell): Omit<ReturnType<typeof shownNumber>, "isShortened"> {
    const { type, value, formula, format } = cell
    if (type === "inlineStr") return { text: this.inline.end() }
    if (formula !== null && (value ?? "") === "" && type !== "str") {
      this.counts.formulas += 1
      const text = "The file has no result of this formula: open it in Excel, save it, and choose it again"
      return { text: `=${formula}`, note: { severity: "problem", text } }
    }
    if (value === null || value === "") return { text: "" }
    switch (type) {
      case "s": {
        const text = this.settings.shared[Number(value)]
        if (text === undefined) throw damagedWorkbook()
        return { text }
      }
      case "str":
        return { text: cellTextOf(value) }
      case "b":
        return { text: isOn(value) ? "TRUE" : "FALSE" }
      case "e":
        return { text: value }
      case "d":
        return { text: value.replace(/T00:00(:00(\.0+)?)?Z?$/, "") }
      default:
        return this.shownNumber(value.trim(), format)
    }
  }

  private shownNumber(value: string, format: CellFormat) {
    if (value === "" || !Number.isFinite(Number(value))) return { text: value }
    if (format.isDate) this.counts.dates += 1
    if (format.regional) this.counts.regional += 1
    const shown = shownNumber(value, format, this.settings)
    if (shown.isShortened === true) this.counts.shortened += 1
    return shown
  }

  private closeRow(): void {
    if (this.texts.length === 0) return
    if (this.isRowHidden) {
      this.counts.hiddenRows += 1
      if (!this.settings.hiddenRows) return
    }
    this.counts.rows += 1
    this.counts.width = Math.max(this.counts.width, this.texts.length)
    if (this.counts.rows > importLimits.rows + 1 || this.texts.length > importLimits.columns) return
    if (this.notes.length > 0) this.cellNotes.set(this.rows.length, this.notes)
    this.rows.push(Array.from({ length: this.texts.length }, (_, column) => this.texts[column] ?? ""))
    this.numbers.push(this.rowNumber)
  }

  private isHidden(column: number): boolean {
    return this.hidden.some(([from, to]) => column >= from && column <= to)
  }

  /** The column in the table: without the hidden ones before it, if those are left out. */
  private columnOf(column: number): number {
    if (this.settings.hiddenColumns || this.hidden.length === 0) return column
    let before = 0
    for (let at = 0; at < column; at += 1) before += Number(this.isHidden(at))
    return column - before
  }

  /** Marks the cells for which Excel shows the text of a merged range's first cell. */
  private markMerged(): void {
    const at = new Map(this.numbers.map((number, index) => [number, index]))
    let covered = 0
    for (const range of this.merged) {
      const [start = "", end = start] = range.split(":")
      const [[left, top], [farthest, lowest]] = [placeOf(start), placeOf(end)]
      const right = Math.min(farthest, left + importLimits.columns)
      const bottom = Math.min(lowest, this.numbers.at(-1) ?? 0)
      const text = this.rows[at.get(top) ?? -1]?.[this.columnOf(left)] ?? ""
      covered += Math.max(0, right - left + 1) * Math.max(0, bottom - top + 1)
      if (covered > mostMerged) throw damagedWorkbook()
      for (let number = top; number <= bottom; number += 1) {
        const row = at.get(number)
        if (row === undefined || text === "") continue
        for (let column = left; column <= right; column += 1) {
          if (number !== top || column !== left) this.markCovered(row, this.columnOf(column), text)
        }
      }
    }
  }

  private markCovered(row: number, column: number, text: string): void {
    const cell = this.rows[row]?.[column] ?? ""
    const notes = this.cellNotes.get(row) ?? []
    this.cellNotes.set(row, notes)
    const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
    notes.push({
      column,
      cell,
      severity: "check",
      text: `Part of a merged cell: Excel shows ${short} here`,
      fix: { text, label: `Use ${short}` },
    })
  }

  end() {
    const { rows, numbers, cellNotes, counts } = this
    this.markMerged()
    const notes: string[] = []
    if (counts.formulas > 0) {
      const has = counts.formulas === 1 ? "has" : "have"
      notes.push(`${counted(counts.formulas, "formula")} ${has} no result in this file.`)
    }
    if (counts.regional > 0) {
      notes.push("Dates that follow each computer’s settings are read as year-month-day, such as 2026-11-30.")
    }
    if (counts.dates > 0 && this.settings.from1904) {
      notes.push("This workbook counts dates from 1904, as older Macs did. They are read that way.")
    }
    const found = {
      hiddenRows: counts.hiddenRows,
      hiddenColumns: this.hiddenFilled.size,
      shortened: counts.shortened,
    }
    return { rows, numbers, cellNotes, notes, found, size: { rows: counts.rows, width: counts.width } }
  }
}
