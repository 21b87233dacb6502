import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import * as z from "zod/mini"
import type { CreateJobBody, Job, JobKind } from "../../contract/job.ts"
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
 * The key a form is sent with (`Idempotency-Key`): made once for a draft and kept beside it, so that a reload, a
 * second click or a copied tab sends the same one and the server makes one effect of them.
 */
export function submissionKey(draftKey: string): string {
  const kept = readDraft(nameOf(draftKey), shape)
  if (kept !== null) return kept.values.key
  const made = { key: newKey() }
  saveDraft(nameOf(draftKey), { values: made, base: made })
  return made.key
}

/** The form was accepted: what is sent next is another effect. */
export function renewSubmissionKey(draftKey: string): void {
  dropDraft(nameOf(draftKey))
}

/** Problems with a job's rows (`rows.0.points`, `rows.0.member.email`), named by the form's fields. */
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

/** Whether the key stands for what was sent before it was changed: that one was taken after all. */
export function wasAcceptedBefore(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422 && error.code === "conflict"
}

/** Whether an error leaves open if what was sent has arrived. */
function isNotHeard(error: Error | null): error is Error {
  if (error instanceof Offline || error instanceof UnreadableResponse) return true
  return error instanceof ApiError && [500, 502, 504].includes(error.status)
}

/** Whether `SubmissionNote` says more about an error than the form's own words. */
export function needsSubmissionNote(error: Error | null): error is Error {
  return isNotHeard(error) || wasAcceptedBefore(error)
}

/**
 * No answer came to a form whose sending is one effect however often it arrives, so it may be sent again as it
 * stands; or it was changed after such a silence, and the first one had arrived.
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
 * Sends a form as a job of a few rows. The key is made with the form and stays until the server took it and the form is
 * gone: sending the same again after no response makes no second one, nor does the second half of a double click. What the
 * server finds wrong is named by the form's fields. `keyName` names the person, the form and what it is about.
 */
export function useSendJob(keyName: string) {
  const queryClient = useQueryClient()
  const taken = useRef(false)
  useEffect(() => {
    // Before anything is sent: a tab copied from this one carries it too.
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
        // The person is told; what they send after that is meant as another one.
        if (wasAcceptedBefore(error)) renewSubmissionKey(keyName)
        throw atFormFields(error)
      }
    },
    onSuccess: (job) => cacheJob(queryClient, job),
    // It may have been refused for a limit that the form did not know.
    onError: () => void queryClient.invalidateQueries({ queryKey: limitsTodayQuery.queryKey }),
  })
}

/**
 * Why rows of a kind may not be sent, in the server's words: `largest` is the most that one of them moves, `sum` what
 * they move together, in points or cents. Undefined when they may, and while the limits are not known: the server
 * decides in any case. `error` is how sending them ended last time: after no response they may be counted already, and
 * sent again they are still one effect, so nothing is refused then.
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

/** Says that the rows of a file are above a limit, before any of them is sent. */
export function LimitNotice({ refusal }: { refusal: string | undefined }) {
  if (refusal === undefined) return null
  return (
    <Notice tone="danger" title="These rows exceed a limit">
      {refusal} Nothing was sent.
    </Notice>
  )
}
