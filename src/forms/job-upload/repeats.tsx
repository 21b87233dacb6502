import { Button } from "@mantine/core"
import { useEffect, useRef, useState } from "react"
import type { JobKind } from "../../../contract/job.ts"
import type { ImportSession } from "../../import/session/import-session.ts"
import { counted } from "../../lib/format.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Notice } from "../../ui/notice.tsx"
import { JobLink } from "../outcome/job-link.tsx"
import { compareRows, type KnownRepeats } from "./compare-rows.ts"
import classes from "./repeats.module.css"

/** How the rows of a file compare with those of earlier jobs. */
export interface Repeats {
  /** The rows as they stand now were compared. */
  readonly checked: boolean
  /** Jobs with the same rows, newest first. */
  readonly jobs: readonly string[]
  readonly error: Error | null
  /** Compares all rows anew. */
  readonly recheck: () => void
}

/** Time after the last change before rows are compared, in ms; those of a file just opened are compared at once. */
const pauseMs = 200

/**
 * Compares the rows of a file with those of the last 90 days whenever they change. Rows that repeat one are excluded
 * until a person includes them, and the server counts them again before it starts the job.
 */
export function useRepeats(kind: JobKind, session: ImportSession): Repeats {
  const { comparable, repeats, state } = session
  const { contents, phase } = state
  const known = useRef<KnownRepeats>(new Map())
  const [attempt, setAttempt] = useState(0)
  const [done, setDone] = useState<{ contents: number; attempt: number; jobs: readonly string[] } | null>(
    null,
  )
  const [error, setError] = useState<Error | null>(null)
  const ready = phase === "ready"
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
  const checked = ready && done !== null && done.contents === contents && done.attempt === attempt
  return {
    checked,
    jobs: done?.jobs ?? [],
    error,
    recheck() {
      known.current = new Map()
      setError(null)
      setAttempt((before) => before + 1)
    },
  }
}

interface RepeatsNoteProps {
  session: ImportSession
  repeats: Repeats
}

/** Which rows repeat earlier ones: they are excluded, and included only by a choice that says how many there are. */
export function RepeatsNote({ session, repeats }: RepeatsNoteProps) {
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
  return (
    <Notice
      tone="warning"
      title={
        open
          ? `${counted(count, "row")} ${count === 1 ? "was" : "were"} sent before`
          : `${counted(count, "repeated row")} will be sent again`
      }
    >
      Same member, amount, and reference or reason as in {listed(jobs)}.{" "}
      {open ? (count === 1 ? "It’s excluded." : "They’re excluded.") : ""}
      <span className={classes.actions}>
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
      </span>
    </Notice>
  )
}

/** The newest jobs by name. */
function listed(jobs: readonly string[]) {
  const shown = jobs.slice(0, 3)
  return (
    <>
      {shown.map((id, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <JobLink id={id} />
        </span>
      ))}
      {jobs.length > shown.length && ` and ${counted(jobs.length - shown.length, "more job")}`}
    </>
  )
}
