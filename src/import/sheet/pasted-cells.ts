import Papa from "papaparse"
import { unescapeCell } from "../../lib/csv.ts"

/** A range as a spreadsheet puts it on the clipboard: cells between tabs, rows between line ends, quoted where needed. */
export function pastedCells(text: string): readonly (readonly string[])[] {
  const plain = text.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "")
  const { data } = Papa.parse<string[]>(plain, { delimiter: "\t", newline: "\n" })
  return data.map((row) => row.map((cell) => unescapeCell(cell.trim())))
}
