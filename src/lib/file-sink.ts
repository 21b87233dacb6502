import { saveFile } from "./save-file.ts"
import { type CsvCell, type CsvStyle, toCsv } from "./csv.ts"

/** Destination of a streamed download. */
export interface FileSink {
  readonly write: (text: string) => Promise<void>
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
export async function openFileSink(name: string, large: boolean): Promise<FileSink> {
  if (!large || window.showSaveFilePicker === undefined) return collected(name)
  const handle = await window.showSaveFilePicker({ suggestedName: name })
  return streamed(await handle.createWritable())
}

function streamed(file: FileSystemWritableFileStream): FileSink {
  return {
    write: (text) => file.write(text),
    restart: async () => {
      await file.truncate(0)
      await file.seek(0)
    },
    close: () => file.close(),
    abort: () => file.abort(),
  }
}

function collected(name: string): FileSink {
  let parts: string[] = []
  const empty = () => {
    parts = []
    return Promise.resolve()
  }
  return {
    write: (text) => {
      parts.push(text)
      return Promise.resolve()
    },
    restart: empty,
    close: () => {
      saveFile(name, new Blob(parts, { type: "text/csv;charset=utf-8" }))
      return empty()
    },
    abort: empty,
  }
}

/** A CSV file written row by row. */
export interface CsvSink {
  /** Starts or restarts the file; `further` columns follow its own. */
  readonly begin: (further?: readonly string[]) => Promise<void>
  readonly add: (rows: Iterable<readonly CsvCell[]>) => Promise<void>
}

/** Spreadsheets read UTF-8 only with a byte order mark. */
const byteOrderMark = "\uFEFF"

/** Writes CSV in chunks, each escaped against formulas like `toCsv`. */
export function csvSink(file: FileSink, columns: readonly string[], style: CsvStyle = "comma"): CsvSink {
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
  }
}
