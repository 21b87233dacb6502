import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
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
import type { CreateJobBody, Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { addJobRows, cacheJob, createJob, findRepeats, jobQuery, startJob } from "../api/jobs.ts"
import { limitsTodayQuery } from "../api/settings.ts"
import { formatPoints } from "../lib/format.ts"
import { newKey } from "../lib/new-key.ts"
import { isSameDay, millis, serverTime, shortDay } from "../lib/time.ts"
import { jobAddress } from "../ui/record-link.tsx"
import type { ImportSession } from "./import-session.ts"
import type { EarlierFinding } from "./sheet-data.ts"
import type { AcceptedRow, FileEntry } from "./sheet-view.ts"
import type { SheetCalls } from "./sheet-worker.ts"

/** The job that an import creates. */
export interface ImportJob {
  readonly kind: CreateJobBody["kind"]
  readonly options: NonNullable<CreateJobBody["options"]>
  /** Changes a row by its number before it is uploaded. */
  readonly change?: (row: AcceptedRow["row"], line: number) => AcceptedRow["row"]
  /** Why the row with this number is not uploaded: another row contains it. */
  readonly skipReason?: (line: number) => string | undefined
}

/** Creates a job from an import's rows and opens its page. Leaving stops it; returning continues. */
export function useStartJob(session: ImportSession, onFailure: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [uploaded, setUploaded] = useState(0)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const { mutate, isPending, error } = useMutation({
    mutationFn: (job: ImportJob) => {
      stop.current?.abort()
      stop.current = new AbortController()
      return uploadJob(session, job, setUploaded, stop.current.signal)
    },
    onSuccess: async (job) => {
      cacheJob(queryClient, job)
      await session.change((sheet) => sheet.clear())
      await navigate({ to: jobAddress(job.id) })
    },
    onError: () => {
      onFailure()
      // It may have been refused for a limit that was unknown here.
      void queryClient.invalidateQueries({ queryKey: limitsTodayQuery.queryKey })
    },
  })
  return { start: mutate, busy: isPending, error, uploaded }
}

/**
 * Creates a draft with the rows and starts it; nothing is sent to the service before. After an interruption it
 * continues with the same rows; other rows make another job, because the key contains their hash. Throws what `request`
 * throws.
 */
async function uploadJob(
  { read, state }: ImportSession,
  { kind, options: given, change = (row) => row, skipReason = () => undefined }: ImportJob,
  onProgress: (uploaded: number) => void,
  signal: AbortSignal,
): Promise<Job> {
  /** The rows of the file from an offset on, in parts that fit one request. */
  async function* parts(from: number): AsyncGenerator<readonly FileEntry[]> {
    for (let at = from; ;) {
      signal.throwIfAborted()
      const offset = at
      const entries = await read((sheet) => sheet.entries(offset, limits.jobRowsAdded))
      if (entries.length === 0) return
      yield entries.map((entry) => {
        if (!("row" in entry)) return entry
        const { line, row } = entry
        const message = skipReason(line)
        if (message === undefined) return { line, row: change(row, line) }
        return { line, excluded: { code: "excluded_by_person" as const, message, input: row } }
      })
      at += entries.length
    }
  }

  const { name, key, acknowledged } = state
  const fingerprint = await read((sheet) => sheet.fingerprint())
  const file = fingerprint === null ? {} : { file: { name: name.slice(0, 200), fingerprint } }
  const options = { ...given, ...file }
  const hash = new RowsHash()
  hash.add([kind, options])
  let toSend = 0
  for await (const entries of parts(0)) {
    hash.add(entries)
    toSend += entries.filter((entry) => "row" in entry).length
  }

  const body = { kind, rows: [], options: { ...options, draft: true } }
  let job = await createJob({ body, key: `${key}-${hash.toString()}` }, signal)
  if (job.state !== "draft") return job
  // Excluded rows are part of the draft too.
  const stored = () => job.total + job.counts.excluded
  onProgress(job.total)
  for await (const entries of parts(stored())) {
    for (const chunk of chunkRows(entries)) {
      const sent = chunk.filter((entry) => "row" in entry)
      const excluded = chunk.filter((entry) => "excluded" in entry)
      const rows = {
        rows: sent.map(({ row }) => row),
        lines: sent.map(({ line }) => line),
        excluded: excluded.map(({ line, excluded: why }) => ({ line, ...why })),
      }
      job = await addJobRows(job.id, rows, stored() + 1, signal)
      onProgress(job.total)
    }
  }
  return startJob(job.id, { total: toSend, repeats: acknowledged.repeat }, signal)
}

/** Most bytes for the rows of one request, with room for the rest of its body. */
const rowBytes = limits.bodyBytes - 20_000

const encoder = new TextEncoder()

/**
 * Splits rows into parts that fit one request each: at most 1,000 rows and less than 1 MB of JSON. Preserves the order.
 */
export function chunkRows<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const chunks: T[][] = []
  let bytes = Infinity
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row)).length + 1
    const current = chunks.at(-1)
    if (current === undefined || current.length >= limits.jobRowsAdded || bytes + size > rowBytes) {
      chunks.push([row])
      bytes = size
    } else {
      current.push(row)
      bytes += size
    }
  }
  return chunks
}

/** A hash of rows in order, so that an upload never continues with rows that were changed meanwhile. */
export class RowsHash {
  #high = 0xde_ad_be_ef
  #low = 0x41_c6_ce_57

  add(rows: readonly unknown[]): void {
    const text = JSON.stringify(rows)
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      this.#high = Math.imul(this.#high ^ unit, 2_654_435_761)
      this.#low = Math.imul(this.#low ^ unit, 1_597_334_677)
    }
  }

  toString(): string {
    const words = [this.#high ^ (this.#low >>> 13), this.#low ^ (this.#high >>> 16)]
    return words.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")
  }
}

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
