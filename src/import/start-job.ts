import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { CreateJobBody, Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { addJobRows, createJob, startJob, cacheJob } from "../api/jobs.ts"
import { limitsTodayQuery } from "../api/settings.ts"
import { jobAddress } from "../ui/record-link.tsx"
import type { ImportSession } from "./import-session.ts"
import type { AcceptedRow, FileEntry } from "./sheet-view.ts"

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
export const rowBytes = limits.bodyBytes - 20_000

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
