import * as z from "zod/mini"
import { createStored } from "./browser-storage.ts"
import { type CsvStyle, type CsvCell, toCsv } from "./csv.ts"
import { saveFile } from "./save-file.ts"

/** The types of downloaded files, with their labels. Semicolons: for Excel in countries with decimal commas. */
export const fileFormats = [
  ["comma", "CSV"],
  ["semicolon", "CSV with semicolons"],
  ["xlsx", "Excel (.xlsx)"],
] as const
export type FileFormat = (typeof fileFormats)[number][0]

const formatChoice = z.object({ style: z.enum(fileFormats.map(([format]) => format)) })
const useFormat = createStored<z.output<typeof formatChoice>>("laurel-csv-style", formatChoice, {
  style: "comma",
})

/** The type chosen in this browser. */
export const fileFormat = () => useFormat.getState().style

export const saveFileFormat = (style: FileFormat) => useFormat.setState({ style })

/** A list that Excel cannot hold; the message says why. */
export class NotForExcel extends Error {
  override readonly name = "NotForExcel"
}

/** Destination of a streamed download. */
export interface FileSink {
  readonly name: string
  readonly write: (part: string | Blob) => Promise<void>
  /** Discards what was written, because the list has changed. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
  readonly abort: () => Promise<void>
}

declare global {
  interface Window {
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
  }
}

/**
 * Opens a file for writing. Large files are streamed to a place that the user chooses, if the browser supports it, so
 * that they need no memory; others are assembled in memory and downloaded. Must be called during a click.
 * @throws DOMException `AbortError` when the user cancels the file dialog
 */
export async function openFileSink(title: string, format: FileFormat, large: boolean): Promise<FileSink> {
  const name = `${title}${format === "xlsx" ? ".xlsx" : ".csv"}`
  if (!large || window.showSaveFilePicker === undefined) return collected(name, format)
  const handle = await window.showSaveFilePicker({ suggestedName: name })
  return streamed(name, await handle.createWritable())
}

function streamed(name: string, file: FileSystemWritableFileStream): FileSink {
  return {
    name,
    write: (part) => file.write(part),
    restart: async () => {
      await file.truncate(0)
      await file.seek(0)
    },
    close: () => file.close(),
    abort: () => file.abort(),
  }
}

const csvType = "text/csv;charset=utf-8"
const excelType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

function collected(name: string, format: FileFormat): FileSink {
  let parts: (string | Blob)[] = []
  const empty = () => {
    parts = []
    return Promise.resolve()
  }
  return {
    name,
    write: (part) => {
      parts.push(part)
      return Promise.resolve()
    },
    restart: empty,
    close: () => {
      saveFile(name, new Blob(parts, { type: format === "xlsx" ? excelType : csvType }))
      return empty()
    },
    abort: empty,
  }
}

/** A table written row by row into a file. */
export interface TableSink {
  /** Starts or restarts the file; `further` columns follow its own. */
  readonly begin: (further?: readonly string[]) => Promise<void>
  readonly add: (rows: Iterable<readonly CsvCell[]>) => Promise<void>
  readonly end: () => Promise<void>
}

/** Writes a table in the given type. `isTemplate`: rows are typed into the file. */
export async function tableSink(
  file: FileSink,
  columns: readonly string[],
  format: FileFormat,
  isTemplate = false,
): Promise<TableSink> {
  if (format !== "xlsx") return csvSink(file, columns, format)
  const { excelSink } = await import("./excel-file.ts")
  return excelSink(file, columns, isTemplate)
}

/** Spreadsheets read UTF-8 only with a byte order mark. */
const byteOrderMark = "\uFEFF"

/** Writes CSV in chunks, each escaped against formulas like `toCsv`. */
function csvSink(file: FileSink, columns: readonly string[], style: CsvStyle): TableSink {
  let all = columns
  let head = toCsv({ columns, rows: [], style })
  return {
    begin: async (further = []) => {
      all = [...columns, ...further]
      head = toCsv({ columns: all, rows: [], style })
      await file.restart()
      await file.write(byteOrderMark + head)
    },
    // Each chunk is made with the header line, which is then removed, so that it starts with a new line.
    add: (rows) => file.write(toCsv({ columns: all, rows, style }).slice(head.length)),
    end: () => Promise.resolve(),
  }
}

/** Downloads a table that is in memory, in the chosen type unless one is given. One without rows is a template. */
export async function saveTable(props: {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly CsvCell[])[]
  readonly format?: FileFormat
}): Promise<void> {
  const { name, columns, rows, format = fileFormat() } = props
  const file = await openFileSink(name, format, false)
  const table = await tableSink(file, columns, format, rows.length === 0)
  await table.begin()
  await table.add(rows)
  await table.end()
  await file.close()
}
