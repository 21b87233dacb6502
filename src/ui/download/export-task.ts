import type * as z from "zod/mini"
import type { createExportBody } from "../../../contract/response.ts"
import { limits } from "../../../contract/limits.ts"
import { createExport, readExportPage } from "../../api/exports.ts"
import { requestsFor } from "../../api/paging.ts"
import type { QueryValues } from "../../api/request.ts"
import { streamEveryPage } from "../../api/stream-pages.ts"
import type { CsvCell } from "../../lib/csv.ts"
import type { DownloadTask } from "./use-download.ts"

/** From here on a file is streamed to the disk rather than put together in memory, in requests. */
const largeFrom = 20

/** Rows written in one piece where they waited for their columns. */
const rowsAtOnce = 1000

type CellRows = readonly (readonly CsvCell[])[]

interface ExportOf<T> {
  /** Name of the file, without `.csv`. */
  readonly name: string
  /** For the audit log. */
  readonly body: z.input<typeof createExportBody>
  readonly path: string
  readonly query: QueryValues
  readonly schema: z.ZodMiniType<T[]>
  readonly idOf: (row: T) => string
  readonly columns: readonly string[]
  /**
   * Further columns that a row needs, such as `metadata.region`; they stand after `columns`, sorted by name. Only the
   * last row tells all of them, so the rows then wait in memory until every page is read.
   */
  readonly furtherOf?: (row: T) => readonly string[]
  /** Rows of the file from some of the list's rows; a row may be left out. */
  readonly cellsOf: (rows: readonly T[], further: readonly string[]) => CellRows | Promise<CellRows>
  /** Rows expected; undefined where nobody knows yet. */
  readonly total: number | undefined
}

/** A list of the program service as a CSV file, read in the background lane. */
export function exportTask<T>(of: ExportOf<T>): DownloadTask {
  const perPage = limits.perPage.max
  return {
    name: `${of.name.replaceAll(/[\\/:*?"<>|]+/g, " ").slice(0, 120)}.csv`,
    columns: of.columns,
    large: of.total === undefined || requestsFor(of.total, perPage) > largeFrom,
    run: async (file, signal, onProgress) => {
      const exportId = await createExport(of.body, signal)
      const { furtherOf } = of
      let waiting: T[] = []
      let written = 0
      const write = async (rows: readonly T[], further: readonly string[]) => {
        const cells = await of.cellsOf(rows, further)
        written += cells.length
        await file.add(cells)
      }
      await streamEveryPage({
        perPage,
        signal,
        onProgress,
        idOf: of.idOf,
        read: (page, size, fresh) =>
          readExportPage({
            exportId,
            path: of.path,
            query: { ...of.query, page, per_page: size },
            schema: of.schema,
            signal,
            fresh,
          }),
        begin: () => {
          waiting = []
          written = 0
          return file.begin()
        },
        take: async (rows) => {
          if (furtherOf === undefined) await write(rows, [])
          else waiting.push(...rows)
        },
      })
      if (furtherOf !== undefined) {
        const further = [...new Set(waiting.flatMap(furtherOf))].toSorted()
        await file.begin(further)
        for (let from = 0; from < waiting.length; from += rowsAtOnce) {
          signal.throwIfAborted()
          await write(waiting.slice(from, from + rowsAtOnce), further)
        }
      }
      return written
    },
  }
}
