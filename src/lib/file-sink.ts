import { saveFile } from "./save-file.ts"
import { type CsvCell, type CsvStyle, toCsv } from "./csv.ts"

/** Where a download is written, piece by piece. */
export interface FileSink {
  readonly write: (text: string) => Promise<void>
  /** Empties it: what was written before is of a list that has changed since. */
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
 * Opens a file to write to. A large one is streamed to where the person wants it, where the browser can do that, so
 * that it never stands in memory as a whole; else it is put together here and handed to the downloads. Has to be
 * called while a click is being answered.
 * @throws DOMException `AbortError` when the person closes the choice of a file
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

/** A CSV file that grows by rows. */
export interface CsvSink {
  /** Begins the file, or begins it again from nothing; `further` columns stand after its own. */
  readonly begin: (further?: readonly string[]) => Promise<void>
  readonly add: (rows: Iterable<readonly CsvCell[]>) => Promise<void>
}

/** Spreadsheets read UTF-8 only when it begins with this. */
const byteOrderMark = "\uFEFF"

/** Writes CSV into a file piece by piece; each piece is as safe from formulas as `toCsv` makes it. */
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
    // Each piece is made with its head, which is cut off again, so that it begins with a new line.
    add: (rows) => file.write(toCsv({ columns: all, rows, style }).slice(head.length)),
  }
}
