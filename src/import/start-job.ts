import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { AddRowsBody, CreateJobBody, Job } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { addJobRows, createJob, startJob, takeJob } from "../api/job-writes.ts"
import { limitsTodayQuery } from "../api/settings.ts"
import { jobAddress } from "../forms/job-link.tsx"
import type { ImportSession } from "./import-session.ts"
import type { FileEntry } from "./sheet-view.ts"

type SheetRow = Readonly<Record<string, unknown>>

/** What a job of the rows of an import is. */
export interface ImportJob {
  readonly kind: CreateJobBody["kind"]
  readonly options: NonNullable<CreateJobBody["options"]>
  /** Changes rows before they are uploaded; `first` is the index of the first of them among all that are sent. */
  readonly change?: (rows: readonly SheetRow[], first: number) => readonly SheetRow[]
}

/**
 * Makes a job of the rows of an import, forgets the draft, and goes to the job's page. Leaving the page stops it;
 * coming back continues.
 * @param onFailure other rows may repeat earlier ones by then
 */
export function useStartJob(session: ImportSession, onFailure: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [uploaded, setUploaded] = useState(0)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (wanted: ImportJob): Promise<Job> => {
      stop.current?.abort()
      stop.current = new AbortController()
      const { signal } = stop.current
      const { name, key, included, kept } = session.state
      const fingerprint = await session.fingerprint()
      const file = fingerprint === null ? {} : { file: { name: name.slice(0, 200), fingerprint } }
      return uploadJob({
        kind: wanted.kind,
        options: { ...wanted.options, ...file },
        key,
        total: included,
        repeats: kept.repeats,
        read: changedEntries(session, wanted.change),
        onProgress: setUploaded,
        signal,
      })
    },
    onSuccess: async (job) => {
      takeJob(queryClient, job)
      await session.clear()
      await navigate({ to: jobAddress(job.id) })
    },
    onError: () => {
      onFailure()
      // It may have been refused for a limit that the page did not know.
      void queryClient.invalidateQueries({ queryKey: limitsTodayQuery.queryKey })
    },
  })
  return { start: mutate, busy: isPending, error, uploaded }
}

/** The rows of the file, those that are sent as `change` makes them. */
function changedEntries({ entries }: ImportSession, change: ImportJob["change"]): JobUpload["read"] {
  // Offsets are read in order: how many rows that are sent stand before each of them.
  const before = new Map([[0, 0]])
  return async (offset, limit) => {
    const read = await entries(offset, limit)
    if (change === undefined) return read
    const rows = read.flatMap((entry) => ("row" in entry ? [entry.row] : []))
    // Somebody may continue in the middle of the file.
    const first = before.get(offset) ?? (await entries(0, offset)).filter((entry) => "row" in entry).length
    before.set(offset + read.length, first + rows.length)
    const made = [...change(rows, first)]
    return read.map((entry) => ("row" in entry ? { ...entry, row: made.shift() ?? entry.row } : entry))
  }
}

interface JobUpload {
  readonly kind: CreateJobBody["kind"]
  readonly options: Omit<NonNullable<CreateJobBody["options"]>, "draft">
  /** Of this draft in the browser: the same rows under the same key are one job, however often they are sent. */
  readonly key: string
  /** Rows to carry out. */
  readonly total: number
  /** How many of them repeat earlier rows, and are sent all the same. */
  readonly repeats: number
  /** Rows of the file from an offset on, at most `limit` of them, in the file's order, excluded ones too. */
  readonly read: (offset: number, limit: number) => Promise<readonly FileEntry[]>
  readonly onProgress: (uploaded: number) => void
  readonly signal: AbortSignal
}

/**
 * Makes a job of many rows: a draft, the rows in parts, and the start with their number. Nothing is sent to the
 * service before the start. Interrupted, it continues where it stopped when it is called again with the same rows; with
 * others it is another job, because the key carries a hash of the rows.
 * @throws what `request` throws; the signal's reason
 */
async function uploadJob(upload: JobUpload): Promise<Job> {
  const { kind, options, total, repeats, signal, onProgress } = upload
  const hash = new RowsHash()
  hash.add([kind, options])
  for await (const entries of parts(upload, 0)) hash.add(entries)

  const body = { kind, rows: [], options: { ...options, draft: true } }
  let job = await createJob({ body, key: `${upload.key}-${hash.toString()}` }, signal)
  if (job.state !== "draft") return job
  // Excluded rows are part of the draft, too.
  const stored = () => job.total + job.counts.excluded
  onProgress(job.total)
  for await (const entries of parts(upload, stored())) {
    for (const chunk of chunkRows(entries)) {
      job = await addJobRows(job.id, bodyOf(chunk), stored() + 1, signal)
      onProgress(job.total)
    }
  }
  return await startJob(job.id, { total, repeats }, signal)
}

function bodyOf(entries: readonly FileEntry[]): Omit<AddRowsBody, "first_row"> {
  const rows = entries.filter((entry) => "row" in entry)
  const excluded = entries.filter((entry) => "excluded" in entry)
  return {
    rows: rows.map(({ row }) => row),
    lines: rows.map(({ line }) => line),
    excluded: excluded.map(({ line, excluded: why }) => ({ line, ...why })),
  }
}

/** The rows from an offset on, as many at a time as one request may carry. */
async function* parts({ read, signal }: JobUpload, from: number): AsyncGenerator<readonly FileEntry[]> {
  for (let at = from; ;) {
    signal.throwIfAborted()
    const entries = await read(at, limits.jobRowsAdded)
    if (entries.length === 0) return
    yield entries
    at += entries.length
  }
}

/** Bytes that the rows of one request may take: the rest of its body needs some, too. */
export const rowBytes = limits.bodyBytes - 20_000

const encoder = new TextEncoder()

/** Cuts rows into parts that fit one request each: at most 1,000 rows and less than 1 MB of JSON. Order is kept. */
export function chunkRows<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const chunks: T[][] = []
  let current: T[] = []
  let bytes = 0
  for (const row of rows) {
    // With the comma after it.
    const size = encoder.encode(JSON.stringify(row)).length + 1
    if (current.length > 0 && (current.length >= limits.jobRowsAdded || bytes + size > rowBytes)) {
      chunks.push(current)
      current = []
      bytes = 0
    }
    current.push(row)
    bytes += size
  }
  if (current.length > 0) chunks.push(current)
  return chunks
}

/**
 * A short hash of rows in their order: other rows, or the same in another order, have another one. It keeps an
 * interrupted upload from continuing with rows that were changed meanwhile; nobody's safety rests on it beyond that.
 */
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

  /** 16 hexadecimal digits. */
  toString(): string {
    return hexWord(this.#high ^ (this.#low >>> 13)) + hexWord(this.#low ^ (this.#high >>> 16))
  }
}

function hexWord(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0")
}
