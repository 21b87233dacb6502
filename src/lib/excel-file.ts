import type { CsvCell } from "./csv.ts"
import { type FileSink, NotForExcel, type TableSink } from "./table-file.ts"
import { formatCount } from "./format.ts"
import { createDeflater, writeZip } from "./zip.ts"

/** What a sheet and a cell of Excel hold. */
const most = { rows: 1_048_576, columns: 16_384, text: 32_767 }

/** Indexes of the cell styles below. */
const styles = { general: 0, text: 1, integer: 2, head: 3 }
/** Excel keeps 15 digits, and shows up to 11 characters of a number without a format. */
const exactIntegers = 1e15
const shownDigits = 10

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packages = "http://schemas.openxmlformats.org/package/2006"
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const relations = (...parts: readonly (readonly [type: string, path: string])[]) =>
  `${head}<Relationships xmlns="${packages}/relationships">${parts
    .map(([type, path], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${path}"/>`)
    .join("")}</Relationships>`

const parts = {
  "[Content_Types].xml": `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  "_rels/.rels": relations(["officeDocument", "xl/workbook.xml"]),
  "xl/workbook.xml": `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": relations(["worksheet", "worksheets/sheet1.xml"], ["styles", "styles.xml"]),
  // Formats 49 (text) and 1 (whole number) are Excel's own.
  "xl/styles.xml": `${head}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
}

/** The heading stays in view. In a template all cells are text, so that Excel keeps the zeros of an id. */
const sheetStart = (width: number, isTemplate: boolean) =>
  `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${Math.max(1, width)}" width="20" customWidth="1"${isTemplate ? ` style="${styles.text}"` : ""}/></cols><sheetData>`

/** Text that looks like a number is meant as text: Excel does not mark it. */
const sheetEnd = `</sheetData><ignoredErrors><ignoredError sqref="A1:XFD${most.rows}" numberStoredAsText="1"/></ignoredErrors></worksheet>`

// oxlint-disable-next-line no-control-regex -- XML cannot have them; lone surrogates have no UTF-8
const unwritable = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF\p{Cs}]/gu
const likeUnwritable = /_(?=x[\da-f]{4}_)/gi

function xmlText(text: string): string {
  return text
    .replaceAll(likeUnwritable, "_x005F_")
    .replaceAll(unwritable, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
}

function columnName(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last
}

/** A number that Excel shows and keeps as it is; all others are text. */
function isPlainNumber(cell: CsvCell): cell is number {
  if (typeof cell !== "number") return false
  if (Number.isInteger(cell)) return Math.abs(cell) < exactIntegers
  const text = String(cell)
  return /^-?\d+\.\d+$/.test(text) && text.replaceAll(/\D/g, "").length <= shownDigits
}

function cellXml(cell: CsvCell, place: string, textStyle: number): string {
  if (cell === null || cell === undefined || cell === "") return ""
  if (isPlainNumber(cell)) {
    const style = Number.isInteger(cell) ? styles.integer : styles.general
    return `<c r="${place}" s="${style}"><v>${cell}</v></c>`
  }
  const text = String(cell)
  if (text.length > most.text) {
    throw new NotForExcel(`A text of ${formatCount(text.length)} characters is longer than a cell of Excel.`)
  }
  return `<c r="${place}" s="${textStyle}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

const encoder = new TextEncoder()

/**
 * Writes a workbook with one sheet. Texts are cells of text, whatever they look like: Excel changes no id and computes
 * nothing. The packed rows are in memory until the end.
 */
export function excelSink(file: FileSink, columns: readonly string[], isTemplate = false): TableSink {
  let sheet = createDeflater()
  let written = 0

  const write = (text: string) => sheet.write(encoder.encode(text))
  const rowsXml = (rows: Iterable<readonly CsvCell[]>, textStyle: number) =>
    Array.from(rows, (row) => {
      written += 1
      if (written > most.rows)
        throw new NotForExcel(`A sheet of Excel has up to ${formatCount(most.rows)} rows.`)
      if (row.length > most.columns) {
        throw new NotForExcel(`A sheet of Excel has up to ${formatCount(most.columns)} columns.`)
      }
      const cells = row.map((cell, column) => cellXml(cell, columnName(column) + written, textStyle))
      return `<row r="${written}">${cells.join("")}</row>`
    }).join("")

  return {
    begin: async (further = []) => {
      const all = [...columns, ...further]
      sheet = createDeflater()
      written = 0
      await file.restart()
      await write(sheetStart(all.length, isTemplate))
      await write(rowsXml([all], styles.head))
    },
    add: (rows) => write(rowsXml(rows, styles.text)),
    end: async () => {
      await write(sheetEnd)
      await file.write(await writeZip({ ...parts, "xl/worksheets/sheet1.xml": await sheet.end() }))
    },
  }
}
