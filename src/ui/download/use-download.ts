import { useEffect, useRef, useState } from "react"
import type { PageProgress } from "../../api/paging.ts"
import { csvSink, type CsvSink } from "../../lib/csv-sink.ts"
import { openFileSink } from "../../lib/file-sink.ts"

/** A file to write. */
export interface DownloadTask {
  /** Name of the file. */
  readonly name: string
  readonly columns: readonly string[]
  /** Too much to put together in memory: streamed to the disk where the browser can. */
  readonly large: boolean
  /** Writes the rows; answers how many. */
  readonly run: (
    file: CsvSink,
    signal: AbortSignal,
    onProgress: (progress: PageProgress) => void,
  ) => Promise<number>
}

/** Where a download stands. */
export type DownloadState =
  | { readonly step: "idle" }
  | { readonly step: "running"; readonly progress: PageProgress }
  | { readonly step: "done"; readonly rows: number; readonly name: string }
  | { readonly step: "failed"; readonly error: unknown }

/** Writes a file, says how far it is, and stops when the person cancels or leaves: a half file is never saved. */
export function useDownload() {
  const running = useRef<AbortController>(undefined)
  const [state, setState] = useState<DownloadState>({ step: "idle" })
  useEffect(() => () => running.current?.abort(), [])

  const start = async ({ name, columns, large, run }: DownloadTask) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const tell = (now: DownloadState) => {
      if (!signal.aborted) setState(now)
    }
    const file = await openFileSink(name, large).catch(() => undefined)
    // The person closed the choice of a file: nothing was begun.
    if (file === undefined) return
    tell({ step: "running", progress: { done: 0, of: null, restarts: 0 } })
    try {
      const rows = await run(csvSink(file, columns), signal, (progress) =>
        tell({ step: "running", progress }),
      )
      signal.throwIfAborted()
      await file.close()
      tell({ step: "done", rows, name })
    } catch (error) {
      await file.abort().catch(() => undefined)
      tell({ step: "failed", error })
    }
  }
  return {
    state,
    start: (task: DownloadTask) => void start(task),
    cancel: () => {
      running.current?.abort()
      setState({ step: "idle" })
    },
  }
}
