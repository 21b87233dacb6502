import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query"
import { useEffect, useEffectEvent, useRef, useState } from "react"
import * as z from "zod/mini"
import {
  compareRows,
  type Comparison,
  type EarlierRows,
  otherAmountText,
  type Repeated,
  repeatText,
} from "../../contract/earlier-awards.ts"
import type { JobKind } from "../../contract/job-kinds.ts"
import { limits } from "../../contract/limits.ts"
import { findRepeats, jobQuery } from "../api/jobs.ts"
import { formatPoints } from "../lib/format.ts"
import { newKey } from "../lib/new-key.ts"
import { isSameDay, millis, serverTime, shortDay } from "../lib/time.ts"
import type { ImportSession } from "./import-session.ts"
import type { EarlierFinding } from "./sheet-data.ts"
import type { SheetCalls } from "./sheet-worker.ts"
import { rowBytes } from "./start-job.ts"

export type Repeats = ReturnType<typeof useRepeats>

/** Delay after the last change before rows are compared, in ms; a newly opened file is compared immediately. */
const pauseMs = 200

/** Compares changed rows with those of the last 90 days; the server counts them again before the start. */
export function useRepeats(kind: JobKind, { read, change, state }: ImportSession, enabled: boolean) {
  const { contents, phase } = state
  const comparable: Comparable = (from, most) => read((sheet) => sheet.comparable(from, most))
  const known = useRef<KnownRepeats>(new Map())
  // Each page compares separately: another page's sheet lacks the result.
  const [page] = useState(newKey)
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey: ["import-repeats", page, kind, contents],
    queryFn: async ({ signal }) => {
      if (known.current.size > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
      const { found, ...rest } = await compareSheet(kind, comparable, known.current, signal)
      signal.throwIfAborted()
      await change((sheet) => sheet.setRepeats(found))
      return rest
    },
    enabled: enabled && phase === "ready",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const recheck = () => {
    known.current = new Map()
    void refetch()
  }
  const { jobs, reversals } = data ?? { jobs: [], reversals: new Map<string, number>() }
  const running = useReversals([...reversals.keys()], recheck)
  return {
    checked: !enabled || (data !== undefined && !isPlaceholderData && !isFetching && error === null),
    jobs,
    /** Running reversals that rows of the file wait for, and how many rows wait for each. */
    reversals: running.map((job) => ({ job, rows: reversals.get(job.id) ?? 0 })),
    error,
    recheck,
  }
}

/** Follows reversals: the outcome of their rows decides what may be sent again. */
function useReversals(ids: readonly string[], onEnd: () => void) {
  const found = useQueries({ queries: ids.map((id) => jobQuery(id)) })
  const jobs = found.flatMap(({ data }) => data ?? [])
  const ended = jobs
    .map(({ id, state, counts }) => [id, state, counts.failed, counts.absent, counts.conflict].join(" "))
    .join(", ")
  const before = useRef(ended)
  const compareAgain = useEffectEvent(onEnd)
  useEffect(() => {
    // The first known state is the one that the rows were compared with.
    const isNews = before.current !== "" && ended !== "" && before.current !== ended
    before.current = ended
    if (isNews) compareAgain()
  }, [ended])
  return jobs
}

/** Rows read from the sheet per step, which fit one request and do not block the page. */
const atOnce = { rows: limits.rowsCompared, bytes: rowBytes }
/** Requests in flight: the server compares one part while the next is prepared. */
const mostRequests = 2

/** Earlier rows by the text of a row; null: none. */
export type KnownRepeats = Map<string, EarlierRows | null>

type Comparable = SheetCalls["comparable"]

/**
 * Rows that are like earlier ones, by id; their jobs, newest first; and how many rows wait for which reversal. Known
 * rows are not requested again.
 */
export async function compareSheet(
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
      // Not awaited if another request fails first.
      request.catch(() => {})
      requests.push(request)
    }
    from = next
  }
  await Promise.all(requests)

  const entries = [...rows].flatMap(([id, text]) => {
    const earlier = known.get(text)
    return earlier ? [{ id, earlier, ...comparedPart.parse(JSON.parse(text)) }] : []
  })
  const comparisons = compareRows(entries)
  const jobs = new Set<string>()
  const reversals = new Map<string, number>()
  const found = new Map<number, EarlierFinding>()
  for (const [at, { id, earlier, ...row }] of entries.entries()) {
    const comparison = comparisons[at]
    if (comparison !== undefined) {
      jobs.add(comparison.job)
      found.set(id, findingOf(kind, comparison, row))
    } else if (earlier.reversal !== undefined) {
      reversals.set(earlier.reversal, (reversals.get(earlier.reversal) ?? 0) + 1)
    }
  }
  const newest = [...jobs].toSorted((one, other) => Number(other.slice(2)) - Number(one.slice(2)))
  return { found, jobs: newest, reversals }
}

/** "today", "on 18 Nov". */
function dayOfRepeat({ done_at: at }: Repeated): string | undefined {
  if (at === undefined) return undefined
  const now = serverTime(Date.now())
  return isSameDay(millis(at), now) ? "today" : `on ${shortDay(at, now)}`
}

const comparedPart = z.object({
  points: z._default(z.nullable(z.number()), null),
  reference: z.optional(z.string()),
})

function findingOf(
  kind: JobKind,
  found: Comparison,
  { reference = "" }: z.output<typeof comparedPart>,
): EarlierFinding {
  if (found.kind === "repeat") return { code: "repeat", text: repeatText(kind, found, dayOfRepeat(found)) }
  if (found.kind === "recent") {
    const text = `${formatPoints(found.points)} awarded in ${found.job} with the same reason`
    return { code: "recent", text }
  }
  const text = otherAmountText(found, reference, formatPoints)
  return { code: "amount", text, difference: found.difference }
}
