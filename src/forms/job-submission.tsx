import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import * as z from "zod/mini"
import type { CreateJobBody, Job } from "../../contract/job.ts"
import type { JobKind } from "../../contract/job-kinds.ts"
import {
  dayRefusal,
  firstAmountLimits,
  jobRefusal,
  limitOf,
  rowRefusal,
} from "../../contract/amount-limits.ts"
import { ApiError, explain, Offline, UnreadableResponse } from "../lib/errors.ts"
import { createJob, cacheJob } from "../api/jobs.ts"
import { useSession } from "../api/session.ts"
import { limitsTodayQuery } from "../api/settings.ts"
import { newKey } from "../lib/new-key.ts"
import { dropDraft, saveDraft, readDraft } from "../lib/draft-store.ts"
import { Notice } from "../ui/notice.tsx"

const shape = z.object({ key: z.string() })

const nameOf = (draftKey: string) => `${draftKey}:submission`

/**
 * The `Idempotency-Key` of a form: created once per draft and stored with it, so that a reload, a second click or a
 * duplicated tab sends the same key, for a single effect.
 */
export function submissionKey(draftKey: string): string {
  const stored = readDraft(nameOf(draftKey), shape)
  if (stored !== null) return stored.values.key
  const made = { key: newKey() }
  saveDraft(nameOf(draftKey), { values: made, base: made })
  return made.key
}

/** The form was accepted, so the next submission is another effect. */
export function renewSubmissionKey(draftKey: string): void {
  dropDraft(nameOf(draftKey))
}

/** Maps problems of a job's rows (`rows.0.points`, `rows.0.member.email`) to the form's fields. */
function atFormFields(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.details?.fields === undefined) return error
  const named = new Map(
    error.details.fields.map((problem) => {
      const field = problem.field.replace(/^rows\.\d+\.(?:member\.)?/, "")
      return [field, { ...problem, field }]
    }),
  )
  const { status, code, message, requestId, retryAfter } = error
  const details = { ...error.details, fields: [...named.values()] }
  return new ApiError({ status, code, message, requestId, retryAfter, details })
}

/** Whether the key was already used: the submission before the last change was accepted. */
export function wasAcceptedBefore(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422 && error.code === "conflict"
}

/** Whether it is unknown if the request arrived. */
function isUnanswered(error: Error | null): error is Error {
  if (error instanceof Offline || error instanceof UnreadableResponse) return true
  return error instanceof ApiError && [500, 502, 504].includes(error.status)
}

/** Whether `SubmissionNote` explains an error better than the form's own text. */
export function needsSubmissionNote(error: Error | null): error is Error {
  return isUnanswered(error) || wasAcceptedBefore(error)
}

/**
 * Shown after a submission without a response. Sending is idempotent, so it can be repeated unchanged; or the form was
 * changed meanwhile, and the first submission had arrived.
 */
export function SubmissionNote({ error, button }: { error: Error; button: string }) {
  const { title, detail } = explain(error)
  if (wasAcceptedBefore(error)) {
    return (
      <Notice
        tone="warning"
        title="Your earlier version was already accepted"
        detail={detail}
        action={
          <Link to="/jobs" className="l-link">
            View it in Activity
          </Link>
        }
      >
        Nothing more was sent now. Look at that one first: “{button}” sends this one as well.
      </Notice>
    )
  }
  return (
    <Notice tone="warning" title={title} detail={detail}>
      It is not known whether Laurel took it. Press “{button}” again when the connection is back: unchanged,
      it’s carried out once, however often it’s sent. What you typed is kept.
    </Notice>
  )
}

/**
 * Sends a form as a job of a few rows. The key is created with the form and stays until the server accepted it and the
 * form has closed, so repeating after no response, or a double click, makes no second effect. The server's problems are
 * mapped to the form's fields. `keyName` identifies the user, the form and its subject.
 */
export function useSendJob(keyName: string) {
  const queryClient = useQueryClient()
  const taken = useRef(false)
  useEffect(() => {
    // Created before anything is sent: a duplicated tab has the same key.
    submissionKey(keyName)
    return () => {
      if (taken.current) renewSubmissionKey(keyName)
      taken.current = false
    }
  }, [keyName])
  return useMutation({
    mutationFn: async (body: CreateJobBody): Promise<Job> => {
      try {
        const job = await createJob({ body, key: submissionKey(keyName) })
        taken.current = true
        return job
      } catch (error) {
        // The user is notified; the next submission counts as another one.
        if (wasAcceptedBefore(error)) renewSubmissionKey(keyName)
        throw atFormFields(error)
      }
    },
    onSuccess: (job) => cacheJob(queryClient, job),
    // It may have been refused for a limit that was unknown here.
    onError: () => void queryClient.invalidateQueries({ queryKey: limitsTodayQuery.queryKey }),
  })
}

/**
 * Why rows of a kind cannot be sent, in the server's words: `largest` is the largest row, `sum` their total, in points
 * or cents. Undefined if they can, or while the limits are unknown: the server always checks. `error` is the last
 * result: after no response the rows may be counted already and sending is idempotent, so nothing is refused then.
 */
export function useAmountRefusal(
  kind: JobKind,
  error: Error | null,
): (largest: number, sum: number) => string | undefined {
  const limited = limitOf(kind, firstAmountLimits) !== undefined
  const { data } = useQuery({ ...limitsTodayQuery, enabled: limited })
  const { currency } = useSession().program
  const limit = data && limitOf(kind, data.limits)
  if (data === undefined || limit === undefined || needsSubmissionNote(error)) return () => undefined
  const used = limit.unit === "points" ? data.used.points : data.used.card_cents
  return (largest, sum) =>
    rowRefusal(limit, largest, currency) ??
    jobRefusal(limit, sum, currency) ??
    dayRefusal(limit, sum, used, currency)
}

/** Shows that the rows of a file are above a limit, before any is sent. */
export function LimitNotice({ refusal }: { refusal: string | undefined }) {
  if (refusal === undefined) return null
  return (
    <Notice tone="danger" title="These rows exceed a limit">
      {refusal} Nothing was sent.
    </Notice>
  )
}
