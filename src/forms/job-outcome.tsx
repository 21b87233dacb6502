import { Box, Group, Stack, Tooltip } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useEffectEvent, useState, type ComponentProps, type ReactNode } from "react"
import type { JobRow } from "../../contract/job-rows.ts"
import { earlierUnknown, isRowOutcomeCode } from "../../contract/row-outcomes.ts"
import type { Api } from "../../contract/response.ts"
import { jobKindDescriptors, type JobKind } from "../../contract/job-kinds.ts"
import { useControlJob } from "../api/jobs.ts"
import { budgetQuery } from "../api/shell.ts"
import { asSentence, formatPoints } from "../lib/format.ts"
import { isNotified } from "../ui/notify.tsx"
import { duration, exact, millis } from "../lib/time.ts"
import { DescriptionList } from "../ui/data-table.tsx"
import { catalogueStep, ErrorNotice, Notice } from "../ui/notice.tsx"
import { initialFocus, useNow, useServerNow } from "../ui/hooks.ts"
import { SkeletonRows } from "../ui/query-state.tsx"
import { Outcome, SideDrawer } from "../ui/side-drawer.tsx"
import { isPlain, useFollowedJobs } from "./followed-jobs.ts"
import { type OneRow, type RowStatus, useOneRow } from "./one-row.ts"
import { JobLink } from "../ui/record-link.tsx"
import { Button } from "../ui/button.tsx"

/** The outcome of a one-row job with the sent values, from `useJobOutcome`. */
export interface FollowedOutcome<S> extends ReturnType<typeof useOneRow> {
  readonly jobId: string
  readonly sent: S | undefined
  /** It ended well while the user waited: a notification reports it, and the drawer shows nothing. */
  readonly isReported: boolean
}

/**
 * Follows the job that a form has sent. `read` returns the sent values, undefined for another kind of job;
 * `onConfirmed` is called once when it is confirmed, to invalidate what the effect changed.
 */
export function useJobOutcome<S>(
  jobId: string,
  read: (one: OneRow) => S | undefined,
  onConfirmed: (sent: S, one: OneRow) => void,
): FollowedOutcome<S> {
  const followed = useOneRow(jobId)
  // The job may be finished and reported before its drawer is rendered.
  const [isFollowed] = useState(() => useFollowedJobs.getState().jobs.has(jobId) || isNotified(jobId))
  const { one } = followed
  const sent = one === undefined ? undefined : read(one)
  const confirmed = one?.status === "confirmed" && sent !== undefined
  const notify = useEffectEvent(() => {
    if (one !== undefined && sent !== undefined) onConfirmed(sent, one)
  })
  useEffect(() => {
    if (confirmed) notify()
  }, [confirmed])
  return { ...followed, jobId, sent, isReported: isFollowed && confirmed && isPlain(one) }
}

interface OutcomeView {
  doing: string
  done: ReactNode
  remarks?: ReactNode
  /** Replaces the shared notice for a status that the kind knows more about. */
  notice?: ReactNode
  facts: Facts
  details?: OutcomeDetails
  onCorrect?: (() => void) | undefined
  another?: { readonly label: string; readonly icon?: ReactNode; readonly onClick: () => void } | undefined
  next?: ReactNode
  /** Below the buttons, once confirmed. */
  more?: ReactNode
  footer?: ReactNode
}

/** The outcome of one row in the drawer it was sent from. Every status is named exactly. */
export function JobOutcome<S>(props: {
  kind: JobKind
  outcome: FollowedOutcome<S>
  title?: string
  wide?: boolean
  onClose: () => void
  children: (sent: S, one: OneRow) => OutcomeView
}) {
  const { kind, outcome, wide = false, onClose } = props
  const { labels } = jobKindDescriptors[kind]
  const { title = labels.title } = props
  const { one, sent, error, refetch, isReported } = outcome
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    if (isReported) leave()
  }, [isReported])
  const drawer = { title, wide, onClose }
  if (one === undefined)
    return <LoadingDrawer {...drawer} error={error} what="Couldn’t load the outcome." onRetry={refetch} />
  if (sent === undefined) {
    return (
      <SideDrawer {...drawer}>
        <ErrorNotice error={new Error("This is a different kind of job.")} what={labels.otherJob} />
      </SideDrawer>
    )
  }
  const view = props.children(sent, one)
  const { job, row, status } = one
  return (
    <SideDrawer {...drawer} foot={view.footer ?? <OutcomeFooter {...{ status, view, onClose }} />}>
      {status === "confirmed" && !isReported ? (
        <>
          <Done kind={kind} row={row}>
            {view.done}
          </Done>
          {view.remarks}
        </>
      ) : (
        // A notification closes the drawer, so no notice is shown meanwhile.
        (view.notice ?? (!isReported && <StatusNotice kind={kind} one={one} doing={view.doing} />))
      )}
      <OutcomeFacts
        facts={[
          ...view.facts,
          row.known_by === "look" && ["Known from", `${labels.source} (there was no usable response)`],
          ["Job", <JobLink id={job.id}>Details</JobLink>],
        ]}
        details={view.details}
      />
    </SideDrawer>
  )
}

function Done({ kind, row, children }: { kind: JobKind; row: JobRow; children: ReactNode }) {
  const { balance_after, decision } = row
  return (
    <div>
      <Outcome word={jobKindDescriptors[kind].labels.confirmed}>{children}</Outcome>
      {balance_after !== null && (
        <p className="text-secondary">
          {row.member?.label ?? "The member"} has <b className="l-num">{formatPoints(balance_after)}</b>{" "}
          points left.
        </p>
      )}
      {decision?.decision === "happened" && (
        <p className="text-secondary">{decision.by.name} said that it happened.</p>
      )}
    </div>
  )
}

function OutcomeFooter(props: { status: RowStatus; view: OutcomeView; onClose: () => void }) {
  const { status, view, onClose } = props
  const { another, onCorrect } = view
  if (status !== "confirmed") {
    return (
      <Group grow gap="sm" wrap="nowrap">
        <Button size="md" onClick={onClose}>
          Close
        </Button>
        {onCorrect !== undefined && (status === "failed" || status === "cancelled") && (
          <Button size="md" variant="filled" onClick={onCorrect}>
            Correct and resend
          </Button>
        )}
      </Group>
    )
  }
  return (
    <>
      <Group grow gap="sm" wrap="nowrap">
        {another !== undefined && (
          <Button size="md" leftSection={another.icon} onClick={another.onClick}>
            {another.label}
          </Button>
        )}
        {view.next ?? (
          <Button {...initialFocus} size="md" variant="filled" onClick={onClose}>
            Done
          </Button>
        )}
      </Group>
      {view.more}
    </>
  )
}

function StatusNotice({ kind, one, doing }: { kind: JobKind; one: OneRow; doing: string }) {
  const { job, row, status } = one
  const { api, labels } = jobKindDescriptors[kind]
  const notDone = row.can_edit === false ? earlierUnknown : labels.notDone
  if (status === "queued") return <QueuedNotice doing={doing} again={row.attempts > 0} api={api} />
  if (status === "failed") return <FailedNotice {...one} notDone={notDone} api={api} />
  const decide = <JobLink id={job.id}>Review and decide</JobLink>
  const shown: Partial<Record<RowStatus, ComponentProps<typeof Notice>>> = {
    sent: { tone: "info", title: doing, children: "It was sent, and the service hasn’t responded yet." },
    late: {
      tone: "warning",
      title: "It wasn’t sent within a minute",
      action: <JobControls jobId={job.id} send="Send now" />,
      children: `${notDone} It waits for your word, so that nothing happens later by surprise.`,
    },
    stopped: {
      tone: "warning",
      title: job.pause?.message ?? "The job is paused",
      action: <JobControls jobId={job.id} send="Try again" />,
      children: (
        <>
          {notDone} <JobLink id={job.id} /> keeps it until it goes on or is cancelled.
        </>
      ),
    },
    cancelled: { tone: "info", title: "Cancelled", children: `${notDone} Nothing was sent.` },
    unknown: {
      tone: "warning",
      title: "Outcome not known yet",
      action: <NextLookup row={row} />,
      children: (
        <>
          No usable response came. It is being looked up {labels.lookup} and is not sent again before that.
          You can leave: a notice and <JobLink id={job.id}>the job</JobLink> tell how it ended.
        </>
      ),
    },
    absent: {
      tone: "warning",
      title: "It didn’t happen",
      action: decide,
      children: row.outcome?.message ?? notDone,
    },
  }
  const other = {
    tone: "warning",
    title: "Needs you",
    action: decide,
    children: row.outcome?.message ?? "It isn’t known whether it happened.",
  } as const
  return <Notice {...(shown[status] ?? other)} />
}

function QueuedNotice({ doing, again, api }: { doing: string; again: boolean; api: Api }) {
  const { data, dataUpdatedAt } = useQuery(budgetQuery)
  const now = useNow("second")
  const budget = data?.find((each) => each.api === api)
  return (
    <Notice tone="info" title={doing}>
      {again && "The last attempt gave no result. It is sent again by itself, and can’t happen twice. "}
      {budget !== undefined && budget.left <= 0 ? (
        <>
          Laurel is busy. This goes out in{" "}
          <span aria-live="off">
            {Math.max(1, Math.round((dataUpdatedAt + budget.next_in_ms - now) / 1000))} s.
          </span>
        </>
      ) : (
        !again && "This takes a moment."
      )}
    </Notice>
  )
}

/** The error catalogue, loaded when something failed. */
export const catalogueQuery = {
  queryKey: ["error-catalogue"],
  queryFn: () => import("../../contract/error-catalogue.ts"),
  staleTime: Infinity,
} as const

function FailedNotice({ job, row: { outcome }, notDone, api }: OneRow & { notDone: string; api: Api }) {
  const { data: catalogue, isLoading } = useQuery(catalogueQuery)
  const code = outcome?.code ?? null
  const own = code !== null && isRowOutcomeCode(code)
  // Alerts are announced on every change, so it is rendered once complete.
  if (isLoading && !own) return null
  const entry = own || code === null ? undefined : catalogue?.explainApiCode(api, code)
  const retry = <JobLink id={job.id}>Retry in {job.id}</JobLink>
  return (
    <Notice
      tone="danger"
      title={own ? notDone : (entry?.title ?? "Refused by the service")}
      detail={own ? undefined : (code ?? undefined)}
      action={job.reverses === null ? catalogueStep(entry?.action) : retry}
    >
      {[own ? undefined : notDone, asSentence(outcome?.message ?? ""), entry?.next].filter(Boolean).join(" ")}
    </Notice>
  )
}

/** Buttons to send a waiting job or to give it up. Shows its own error. */
export function JobControls({ jobId, send }: { jobId: string; send: string }) {
  const control = useControlJob(jobId)
  const running = control.isPending ? control.variables.action : null
  const button = (action: "resume" | "cancel", label: string) => (
    <Button
      size="xs"
      loading={running === action}
      disabled={running !== null && running !== action}
      onClick={() => control.mutate({ action })}
    >
      {label}
    </Button>
  )
  return (
    <>
      {button("resume", send)}
      {button("cancel", "Cancel")}
      <ErrorNotice error={control.error} what="Nothing was changed." />
    </>
  )
}

/** Countdown to the next lookup of an unknown row, not announced every second. */
function NextLookup({ row }: { row: JobRow }) {
  const now = useServerNow("second")
  const at = row.next_look_at === null ? Number.NaN : millis(row.next_look_at)
  if (Number.isNaN(at)) return null
  const left = Math.ceil((at - now) / 1000) * 1000
  return (
    <Tooltip label={exact(at)}>
      <span className="l-num" aria-live="off">
        {left <= 0 ? "Looking it up now…" : `Next lookup in ${duration(left)}`}
      </span>
    </Tooltip>
  )
}

type Facts = ComponentProps<typeof DescriptionList>["items"]
type OutcomeDetails = Facts | false | null | undefined

/** Facts below an outcome, without empty ones, and rarely needed ones in "Details". */
export function OutcomeFacts({ facts, details }: { facts: Facts; details?: OutcomeDetails }) {
  return (
    <Stack gap={10} pt="md" fz="md" className="line-above">
      <DescriptionList layout="inline" gap={10} missing={null} items={facts} />
      {details && (
        <details>
          <Box component="summary" mb="sm" className="caption">
            Details
          </Box>
          <DescriptionList layout="inline" gap={10} missing={null} items={details} />
        </details>
      )}
    </Stack>
  )
}

/** A drawer whose content is loading or failed to load. */
export function LoadingDrawer(props: {
  title: string
  wide?: boolean
  onClose: () => void
  error: Error | null
  what: string
  onRetry: () => void
}) {
  const { title, wide = false, onClose, error, what, onRetry } = props
  return (
    <SideDrawer title={title} wide={wide} onClose={onClose}>
      {error === null && <SkeletonRows rows={4} columns={[120, 240]} />}
      <ErrorNotice error={error} what={what} onRetry={onRetry} />
    </SideDrawer>
  )
}
