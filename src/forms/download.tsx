import { Group, NativeSelect, Stack } from "@mantine/core"
import { type ReactNode, useEffect, useRef, useState } from "react"
import type * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import type { createExportBody } from "../../contract/response.ts"
import { createExport, type QueryValues, request } from "../api/request.ts"
import { ListChangedError, type PageProgress, requestsFor, streamEveryPage } from "../api/paging.ts"
import type { CsvCell } from "../lib/csv.ts"
import {
  fileFormat,
  fileFormats,
  NotForExcel,
  openFileSink,
  saveFileFormat,
  tableSink,
  type TableSink,
} from "../lib/table-file.ts"
import { formatCount } from "../lib/format.ts"
import { isoDayOf, timeOfDay } from "../lib/time.ts"
import { BusyFields, SelectChevron } from "../ui/field-parts.tsx"
import { Dialog } from "../ui/confirm-dialog.tsx"
import { ErrorNotice, Notice } from "../ui/notice.tsx"
import { Meter } from "../ui/meter.tsx"
import { Button } from "../ui/button.tsx"
import { useNow } from "../ui/hooks.ts"

/** A file to download, its name without the ending. */
export interface DownloadTask {
  readonly name: string
  readonly columns: readonly string[]
  /** Too large for memory: streamed to the disk if the browser supports it. */
  readonly large: boolean
  readonly run: (
    file: TableSink,
    signal: AbortSignal,
    onProgress: (progress: PageProgress) => void,
    how: { readonly allowChanges: boolean },
  ) => Promise<number>
}

const idle = { progress: null as PageProgress | null, error: null as unknown }

/** Writes a file with progress, and stops when the user cancels or leaves: an incomplete file is never saved. */
function useDownload(task: () => DownloadTask) {
  const [written, setWritten] = useState<{ readonly rows: number; readonly name: string; at?: number }>()
  const [state, setState] = useState(idle)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const write = async (
    signal: AbortSignal,
    show: (progress: PageProgress) => void,
    allowChanges: boolean,
  ) => {
    const { name, columns, large, run } = task()
    const at = Date.now()
    const format = fileFormat()
    const file = await openFileSink(name, format, large).catch(() => undefined)
    // The user cancelled the file dialog.
    if (file === undefined) return
    try {
      const table = await tableSink(file, columns, format)
      const rows = await run(table, signal, show, { allowChanges })
      signal.throwIfAborted()
      await table.end()
      await file.close()
      setWritten({ rows, name: file.name, ...(allowChanges && { at }) })
    } catch (error) {
      await file.abort().catch(() => undefined)
      throw error
    }
  }
  const start = async (allowChanges = false) => {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    const show = (progress: PageProgress | null, error: unknown = null) => {
      if (!signal.aborted) setState({ progress, error })
    }
    show({ done: 0, of: null, restarts: 0 })
    await write(signal, show, allowChanges).then(
      () => show(null),
      (error: unknown) => show(null, error),
    )
  }
  const cancel = () => {
    running.current?.abort()
    setState(idle)
  }
  return { ...state, written, start: () => void start(), startAsItIs: () => void start(true), cancel }
}

/** Number of requests from which a file is streamed to the disk instead of assembled in memory. */
export const largeFrom = 20

const rowsAtOnce = 1000

/** A file name without forbidden characters. */
export const plainFileName = (name: string) => name.replaceAll(/[\\/:*?"<>|]+/g, " ").slice(0, 120)

type CellRows = readonly (readonly CsvCell[])[]

/** A list of the program service as a file, read at background priority. */
export function exportTask<T>(of: {
  readonly name: string
  readonly body: z.input<typeof createExportBody>
  readonly path: string
  readonly query: QueryValues
  readonly schema: z.ZodMiniType<T[]>
  readonly idOf: (row: T) => string
  readonly columns: readonly string[]
  /** Additional columns of a row, sorted after `columns`; all rows are then held in memory until the last. */
  readonly furtherOf?: (row: T) => readonly string[]
  /** Cells for some of the list's rows; rows may be omitted. */
  readonly cellsOf: (rows: readonly T[], further: readonly string[]) => CellRows | Promise<CellRows>
  readonly total: number | undefined
  /** Rows of a page; the most that the service sends by default. */
  readonly perPage?: number
}): DownloadTask {
  const { perPage = limits.perPage.max } = of
  return {
    name: plainFileName(of.name),
    columns: of.columns,
    large: of.total === undefined || requestsFor(of.total, perPage) > largeFrom,
    run: async (file, signal, onProgress, { allowChanges }) => {
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
        allowChanges,
        idOf: of.idOf,
        read: (page, size, fresh) =>
          request({
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

/** The selected rows as a file. No upstream request; audited like any export. */
export function selectionTask(of: {
  readonly name: string
  readonly kind: z.input<typeof createExportBody>["kind"]
  readonly count: number
  readonly columns: readonly string[]
  readonly further?: readonly string[]
  readonly cells: () => CellRows | Promise<CellRows>
}): DownloadTask {
  return {
    name: `${of.name} ${isoDayOf(Date.now())}`,
    columns: of.columns,
    large: false,
    run: async (file, signal, onProgress) => {
      await createExport({ kind: of.kind, filter: { selected: String(of.count) } }, signal)
      onProgress({ done: 0, of: 1, restarts: 0 })
      const cells = await of.cells()
      signal.throwIfAborted()
      await file.begin(of.further)
      await file.add(cells)
      return cells.length
    },
  }
}

/** The list changed during every attempt. The estimate is as of the click, when reading starts. */
function ChangingList({ onExport }: { onExport: () => void }) {
  const now = useNow("second")
  return (
    <Notice
      tone="warning"
      title="The list kept changing"
      action={
        <Button size="xs" onClick={onExport}>
          Export what was there at {timeOfDay(now)}
        </Button>
      }
    >
      Rows were added or removed each time it was read, so no file was created.
    </Notice>
  )
}

const formatHelp = {
  comma: "Opens in every program. Text that a spreadsheet would run as a formula is escaped.",
  semicolon: "For Excel in countries that write 12,50: cells are separated by semicolons.",
  xlsx: "Ids and other texts stay as they are; nothing is run as a formula.",
} as const

/** Options, progress and result of a download. Closing it cancels a running download. */
export function DownloadDialog(props: {
  title: string
  children: ReactNode
  action: string
  task: () => DownloadTask
  ready?: boolean
  onClose: () => void
}) {
  const { title, children, action, ready = true, onClose } = props
  const { progress, error, written, start, startAsItIs, cancel } = useDownload(props.task)
  const [format, setFormat] = useState(fileFormat)
  const running = progress !== null
  return (
    <Dialog title={title} onClose={onClose} busy={running}>
      {written !== undefined ? (
        <Stack>
          <Notice
            tone="success"
            title={`${formatCount(written.rows)} ${written.rows === 1 ? "row was" : "rows were"} exported`}
          >
            {written.name} is in your downloads, or where you chose to keep it.
            {written.at !== undefined &&
              ` It has what was there at ${timeOfDay(written.at)}, without rows that were taken out while it was read.`}
          </Notice>
          <Button variant="filled" data-autofocus className="at-end" onClick={onClose}>
            Done
          </Button>
        </Stack>
      ) : (
        <Stack>
          <BusyFields busy={running} label={title}>
            <Stack>
              {children}
              <NativeSelect
                label="File type"
                description={formatHelp[format]}
                value={format}
                data={fileFormats.map(([value, label]) => ({ value, label }))}
                rightSection={<SelectChevron />}
                onChange={({ currentTarget: { value } }) => {
                  const next = fileFormats.find(([each]) => each === value)?.[0] ?? format
                  saveFileFormat(next)
                  setFormat(next)
                }}
              />
            </Stack>
          </BusyFields>
          {running && (
            <>
              <Meter label={title} progress={progress} />
              <p className="caption">Keep this page open: closing it ends the export.</p>
            </>
          )}
          {error instanceof ListChangedError ? (
            <ChangingList onExport={startAsItIs} />
          ) : error instanceof NotForExcel ? (
            <Notice tone="danger" title="Excel can’t hold this list">
              {error.message} No file was created. Choose CSV instead.
            </Notice>
          ) : (
            <ErrorNotice error={error} what="No file was created." />
          )}
          <Group justify="flex-end" gap="sm">
            <Button onClick={running ? cancel : onClose}>Cancel</Button>
            <Button variant="filled" data-autofocus loading={running} disabled={!ready} onClick={start}>
              {action}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
