import { Button, Group } from "@mantine/core"
import { useEffect, useRef, useState } from "react"
import type { JobKind, RowRepeats } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { findRepeats } from "../api/job-writes.ts"
import { JobLink } from "../forms/job-link.tsx"
import { ErrorNotice } from "../ui/error-notice.tsx"
import { Notice } from "../ui/notice.tsx"
import type { ImportSession } from "./import-session.ts"
import type { ComparableRows, RepeatedRow } from "./sheet-view.ts"
import { rowBytes } from "./start-job.ts"
import { counted } from "../lib/format.ts"

/** How the rows of a file compare with those of earlier jobs. */
export interface Repeats {
  /** The rows as they are now were compared. */
  readonly checked: boolean
  /** Jobs with the same rows, newest first. */
  readonly jobs: readonly string[]
  readonly error: Error | null
  /** Compares all rows again. */
  readonly recheck: () => void
}

/** Time after the last change before rows are compared, in ms; those of a file just opened are compared at once. */
const pauseMs = 200

/**
 * Compares the rows of a file with those of the last 90 days whenever they change. Rows that repeat one are excluded
 * until a person includes them, and the server counts them again before it starts the job.
 * @param enabled false: these rows may repeat earlier ones, and nothing is compared
 */
export function useRepeats(kind: JobKind, session: ImportSession, enabled: boolean): Repeats {
  const { comparable, repeats, state } = session
  const { contents, phase } = state
  const known = useRef<KnownRepeats>(new Map())
  const [attempt, setAttempt] = useState(0)
  const [done, setDone] = useState({ contents: -1, attempt: 0, jobs: [] as readonly string[] })
  const [error, setError] = useState<Error | null>(null)
  const ready = enabled && phase === "ready"
  useEffect(() => {
    if (!ready) return undefined
    const over = new AbortController()
    const { signal } = over
    const compare = async () => {
      const { found, jobs } = await compareRows(kind, { comparable }, known.current, signal)
      if (signal.aborted) return
      await repeats(found)
      if (signal.aborted) return
      setError(null)
      setDone({ contents, attempt, jobs })
    }
    const timer = setTimeout(
      () => {
        compare().catch((problem: unknown) => {
          if (!signal.aborted)
            setError(problem instanceof Error ? problem : new Error("The rows were not compared."))
        })
      },
      known.current.size === 0 ? 0 : pauseMs,
    )
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [kind, ready, contents, attempt, comparable, repeats])
  return {
    checked: !enabled || (ready && done.contents === contents && done.attempt === attempt),
    jobs: done.jobs,
    error,
    recheck() {
      known.current = new Map()
      setError(null)
      setAttempt((before) => before + 1)
    },
  }
}

/** Rows read from the sheet in one step, which fit one request: few enough that the page stays quick in between. */
const atOnce = { rows: limits.rowsCompared, bytes: rowBytes }
/** Requests in flight at once: the server compares one part while the next one is made and sent. */
const mostRequests = 2

/** What earlier rows were found for a row of a file, by the row's own text; null: none. */
export type KnownRepeats = Map<string, RowRepeats | null>

/** Which rows of a file repeat earlier ones, and the ids of the jobs with those, newest first. */
interface ComparedFile {
  readonly found: readonly RepeatedRow[]
  readonly jobs: readonly string[]
}

/**
 * Compares the rows of a sheet with those of earlier jobs. Rows that were requested before are not requested again.
 * @throws what `request` throws; the signal's reason
 */
export async function compareRows(
  kind: JobKind,
  { comparable }: Pick<ImportSession, "comparable">,
  known: KnownRepeats,
  signal: AbortSignal,
): Promise<ComparedFile> {
  const rows: RepeatedRow[] = []
  const requests: Promise<void>[] = []
  const compare = async (texts: readonly string[]) => {
    const found = new Map((await findRepeats(kind, texts, signal)).map((each) => [each.at, each]))
    for (const [at, text] of texts.entries()) known.set(text, found.get(at) ?? null)
  }
  for (let from: number | null = 0; from !== null;) {
    const { ids, texts, next }: ComparableRows = await comparable(from, atOnce)
    signal.throwIfAborted()
    for (const [at, text] of texts.entries()) rows.push({ id: ids[at] ?? -1, text })
    const unknown = [...new Set(texts.filter((text) => !known.has(text)))]
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
  return matchRepeats(rows, known)
}

/** Each earlier row makes one row of the file a repeat, the first ones first (docs/decisions/0008-jobs.md). */
function matchRepeats(rows: readonly RepeatedRow[], known: KnownRepeats): ComparedFile {
  const used = new Map<string, number>()
  const jobs = new Set<string>()
  const found = rows.flatMap(({ id, text }) => {
    const earlier = known.get(text)
    if (earlier === undefined || earlier === null) return []
    const before = used.get(earlier.key) ?? 0
    if (before >= earlier.count) return []
    used.set(earlier.key, before + 1)
    jobs.add(earlier.job)
    return { id, text: `Same as row ${earlier.row} of ${earlier.job}` }
  })
  return { found, jobs: [...jobs].toSorted((one, other) => Number(other.slice(2)) - Number(one.slice(2))) }
}

/** Jobs that are named. */
const namedJobs = 3

/** Which rows repeat earlier ones: they are excluded, and included only by a choice that says how many there are. */
export function RepeatsNote({ session, repeats }: { session: ImportSession; repeats: Repeats }) {
  const { kept, leftOut } = session.state
  const { error, jobs, recheck } = repeats
  if (error !== null) {
    return (
      <ErrorNotice
        error={error}
        what="The rows were not compared with earlier jobs, so nothing can be sent yet."
        onRetry={recheck}
      />
    )
  }
  const rows = leftOut.repeats + kept.repeats
  if (rows === 0) return null
  const open = leftOut.repeats > 0
  const count = open ? leftOut.repeats : kept.repeats
  const title = open
    ? `${counted(count, "row")} ${count === 1 ? "was" : "were"} sent before`
    : `${counted(count, "repeated row")} will be sent again`
  return (
    <Notice tone="warning" title={title}>
      Same member, amount, and reference or reason as in{" "}
      {jobs.slice(0, namedJobs).map((id, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <JobLink id={id} />
        </span>
      ))}
      {jobs.length > namedJobs && ` and ${counted(jobs.length - namedJobs, "more job")}`}.{" "}
      {open ? (count === 1 ? "It’s excluded." : "They’re excluded.") : ""}
      <Group gap={8} mt={8} component="span">
        <Button size="xs" variant="default" onClick={() => void session.show("checks")}>
          {rows === 1 ? "Show row" : "Show rows"}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => void session.decide("repeat", open ? "keep" : "leave")}
        >
          {open ? "Include" : "Exclude"} {counted(count, "repeated row")}
        </Button>
      </Group>
    </Notice>
  )
}
