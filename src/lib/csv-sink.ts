import { toCsv, type CsvCell } from "./csv.ts"
import type { FileSink } from "./file-sink.ts"

/** A CSV file that grows by rows. */
export interface CsvSink {
  /** Begins the file, or begins it again from nothing; `further` columns stand after its own. */
  readonly begin: (further?: readonly string[]) => Promise<void>
  readonly add: (rows: Iterable<readonly CsvCell[]>) => Promise<void>
}

/** Spreadsheets read UTF-8 only when it begins with this. */
const byteOrderMark = "\uFEFF"

/** Writes CSV into a file piece by piece; each piece is as safe from formulas as `toCsv` makes it. */
export function csvSink(file: FileSink, columns: readonly string[]): CsvSink {
  let all = columns
  let head = toCsv({ columns, rows: [] })
  return {
    begin: async (further = []) => {
      all = [...columns, ...further]
      head = toCsv({ columns: all, rows: [] })
      await file.restart()
      await file.write(byteOrderMark + head)
    },
    // Each piece is made with its head, which is cut off again, so that it begins with a new line.
    add: (rows) => file.write(toCsv({ columns: all, rows }).slice(head.length)),
  }
}
