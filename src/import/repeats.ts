import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { JobKind, RowRepeats } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { findRepeats } from "../api/jobs.ts"
import { newKey } from "../lib/new-key.ts"
import type { ImportSession } from "./import-session.ts"
import type { SheetWorker } from "./sheet-worker.ts"
import { rowBytes } from "./start-job.ts"

export type Repeats = ReturnType<typeof useRepeats>

/** Time after the last change before rows are compared, in ms; those of a file just opened are compared at once. */
const pauseMs = 200

/** Compares the rows with those of the last 90 days when they change; the server counts them again before the start. */
export function useRepeats(kind: JobKind, { read, change, state }: ImportSession, enabled: boolean) {
  const { contents, phase } = state
  const comparable: Comparable = (from, most) => read((sheet) => sheet.comparable(from, most))
  const known = useRef<KnownRepeats>(new Map())
  // Each page compares for itself: the sheet of another one has not been told.
  const [page] = useState(newKey)
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: ["import-repeats", page, kind, contents],
    queryFn: async ({ signal }) => {
      if (known.current.size > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
      const { found, jobs } = await compareRows(kind, comparable, known.current, signal)
      signal.throwIfAborted()
      await change((sheet) => sheet.repeats(found))
      return jobs
    },
    enabled: enabled && phase === "ready",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  return {
    checked: !enabled || (data !== undefined && !isPlaceholderData && !isFetching && error === null),
    jobs: data ?? [],
    error,
    recheck: () => {
      known.current = new Map()
      void refetch()
    },
  }
}

/** Rows read from the sheet in one step, which fit one request: few enough that the page stays quick in between. */
const atOnce = { rows: limits.rowsCompared, bytes: rowBytes }
/** Requests in flight at once: the server compares one part while the next one is made and sent. */
const mostRequests = 2

/** What earlier rows were found for a row of a file, by the row's own text; null: none. */
export type KnownRepeats = Map<string, RowRepeats | null>

type Comparable = SheetWorker["comparable"]

/** The messages of rows that repeat earlier ones, by id, and their jobs, newest first. Known rows are not requested again. */
export async function compareRows(
  kind: JobKind,
  comparable: Comparable,
  known: KnownRepeats,
  signal: AbortSignal,
) {
  const rows = new Map<number, string>()
  const requests: Promise<void>[] = []
  const compare = async (texts: readonly string[]) => {
    const found = new Map((await findRepeats(kind, texts, signal)).map((each) => [each.at, each]))
    for (const [at, text] of texts.entries()) known.set(text, found.get(at) ?? null)
  }
  for (let from: number | null = 0; from !== null;) {
    const { texts, next }: Awaited<ReturnType<Comparable>> = await comparable(from, atOnce)
    signal.throwIfAborted()
    for (const [id, text] of texts) rows.set(id, text)
    const unknown = [...new Set(texts.values())].filter((text) => !known.has(text))
    if (requests.length >= mostRequests) await requests.shift()
    if (unknown.length > 0) {
      const request = compare(unknown)
      // Where another request fails first, nobody waits for this one any more.
      request.catch(() => {})
      requests.push(request)
    }
    from = next
  }
  await Promise.all(requests)

  // Each earlier row makes one row of the file a repeat, the first ones first (docs/decisions/0008-jobs.md).
  const used = new Map<string, number>()
  const jobs = new Set<string>()
  const found = new Map<number, string>()
  for (const [id, text] of rows) {
    const earlier = known.get(text)
    const before = used.get(earlier?.key ?? "") ?? 0
    if (earlier === undefined || earlier === null || before >= earlier.count) continue
    used.set(earlier.key, before + 1)
    jobs.add(earlier.job)
    found.set(id, `Same as row ${earlier.row} of ${earlier.job}`)
  }
  return { found, jobs: [...jobs].toSorted((one, other) => Number(other.slice(2)) - Number(one.slice(2))) }
}
