import { Button } from "@mantine/core"
import { IconFileUnknown, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react"
import { explainCode, ownerSentences } from "../../../contract/error-catalogue.ts"
import type { JobRow, RowDecision } from "../../../contract/job-rows.ts"
import type { Job, JobKind } from "../../../contract/job.ts"
import { jobKindDescriptors } from "../../../contract/job-kinds.ts"
import { jobRowsQuery, useDecideRow, useJobAccess } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import { Question } from "./decide-row.tsx"
import { questionWords } from "./decision-labels.ts"
import { Allowed, OrderLink } from "./job-access.tsx"
import {
  canDecide,
  clockTime,
  decisionWords,
  inputText,
  orderChangeText,
  outcomeWords,
  recipientText,
  rowDollars,
  rowLabel,
  rowNumber,
  rowPoints,
  rowWords,
  StateMark,
} from "./job-status.tsx"
import { type DescriptionItem, DescriptionList } from "../../ui/data-table.tsx"
import { rowsQueryOf } from "./search.ts"
import { JobReason } from "../../forms/job-reason.tsx"
import { ReferenceHolderLink } from "../../forms/job-link.tsx"
import { centsOf, formatCount, formatMoney, formatPoints, formatSigned } from "../../lib/format.ts"
import { exact } from "../../lib/time.ts"
import { CatalogueStep, ErrorNotice, hasStep } from "../../ui/error-notice.tsx"
import { useNow } from "../../ui/hooks.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { Notice } from "../../ui/notice.tsx"
import { EmptyState, SkeletonRows } from "../../ui/query-state.tsx"
import { CopyText } from "../../ui/values.tsx"
import classes from "./job.module.css"

const route = getRouteApi("/_app/jobs_/$jobId")

/** One row beside the table: what is known of it, and the question where only a person can settle it. */
export function RowPanel({ job, row: number }: { job: Job; row: number }) {
  const { row, isPending, error, refetch } = useRow(job, number)
  const asks = row !== undefined && canDecide(row)
  return (
    <Frame
      number={number}
      mark={
        row === undefined ? null : (
          <StateMark
            word={
              asks && row.decision === undefined
                ? { ...rowWords[row.state], word: `${rowWords[row.state].word}, waiting for you` }
                : rowWords[row.state]
            }
            asks={asks && row.decision === undefined}
          />
        )
      }
      title={row === undefined ? `Row ${number}` : asks ? questionWords(job.kind, row) : rowLabel(row)}
    >
      {isPending && <SkeletonRows rows={4} columns={[120, 180]} />}
      {error !== null && (
        <ErrorNotice error={error} what="Couldn’t load the row." onRetry={() => void refetch()} />
      )}
      {row === undefined && !isPending && error === null && (
        <EmptyState icon={IconFileUnknown} title={`This job has no row ${number}`} />
      )}
      {row?.decision !== undefined && (
        <DecisionNote decision={row.decision} leftOut={row.outcome?.code === "left_out"} />
      )}
      {row !== undefined && <RowCause kind={job.kind} row={row} />}
      {row !== undefined && canLeaveOut(job, row) && <LeaveOut job={job} row={row} />}
      {row !== undefined && (asks ? <Question job={job} row={row} /> : <RowFacts job={job} row={row} />)}
    </Frame>
  )
}

/** The row as the table has it, else looked up by its number. */
function useRow(job: Job, number: number) {
  const search = route.useSearch()
  const page = useQuery(jobRowsQuery(job.id, rowsQueryOf(search)))
  const has = (rows: readonly JobRow[] | undefined) => rows?.find(({ row }) => row === number)
  const shown = page.isPlaceholderData ? undefined : has(page.data?.rows)
  const found = useQuery({
    ...jobRowsQuery(job.id, { search: String(number), page: 1, per_page: 100 }),
    enabled: shown === undefined && !page.isPending && !page.isPlaceholderData,
  })
  const row = shown ?? (found.isPlaceholderData ? undefined : has(found.data?.rows))
  return {
    row,
    isPending: row === undefined && (page.isPending || page.isPlaceholderData || found.isFetching),
    error: row === undefined ? (found.error ?? page.error) : null,
    refetch: found.refetch,
  }
}

interface FrameProps {
  number: number
  mark: ReactNode
  title: string
  children: ReactNode
}

function Frame({ number, mark, title, children }: FrameProps) {
  const navigate = route.useNavigate()
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const close = useCallback(
    () => void navigate({ search: (now) => ({ ...now, row: undefined }), resetScroll: false }),
    [navigate],
  )
  useEffect(() => {
    // Whoever opened it, or was led on from the row before, reads on here.
    heading.current?.focus()
  }, [])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) close()
    }
    const element = panel.current
    element?.addEventListener("keydown", listen)
    return () => element?.removeEventListener("keydown", listen)
  }, [close])
  return (
    <aside ref={panel} className={classes.panel} aria-label={`Row ${number}`}>
      <div className={classes.head}>
        <div className={classes.words}>
          {mark}
          <h2 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h2>
        </div>
        <IconButton label="Close the row" icon={<IconX size={16} stroke={1.75} />} onClick={close} />
      </div>
      {children}
    </aside>
  )
}

/**
 * What the service's code at a row means: what happened, whose job it is, the next step (error catalogue). Nothing for a row
 * that is confirmed, and for the desk's own outcomes, which speak for themselves.
 */
export function RowCause({ kind, row }: { kind: JobKind; row: JobRow }) {
  const { outcome, state } = row
  const entry = outcome === null || state === "confirmed" ? undefined : explainCode(kind, outcome.code)
  if (entry === undefined) return null
  return (
    <Notice
      tone={state === "failed" ? "danger" : "warning"}
      title={entry.title}
      detail={entry.code ?? String(entry.status)}
      {...(hasStep(entry.action) ? { action: <CatalogueStep action={entry.action} /> } : {})}
    >
      {`${entry.happened} ${ownerSentences[entry.whose]} ${entry.next}`}
    </Notice>
  )
}

/** Its id; a card has a page of its own. */
function Made({ kind, id }: { kind: JobKind; id: string }) {
  const { record } = jobKindDescriptors[kind]
  if (record === "card") {
    return (
      <Link to="/cards/$cardId" params={{ cardId: id }} className="l-link l-mono">
        {id}
      </Link>
    )
  }
  if (record === "order") return <OrderLink id={id} />
  return <CopyText text={id} mono cut />
}

/** What is known of a row that needs nobody. */
export function RowFacts({ job, row }: { job: Job; row: JobRow }) {
  const now = useNow("half-minute")
  const points = rowPoints(job.kind, row)
  const { currency } = useSession().program
  const dollars = rowDollars(row)
  const days = inputText(row, "expiryDays")
  const memberId = row.member?.id ?? null
  const outcome = outcomeWords(row)
  const at = (time: string | null) => (time === null ? undefined : clockTime(time, now))
  const facts: DescriptionItem[] = [
    ["Row", formatCount(rowNumber(row))],
    ["Requested", job.kind === "order-update" ? orderChangeText(row) : undefined],
    [
      job.kind === "order-update" ? "Order" : "Member",
      job.kind === "order-update" ? (
        <OrderLink id={rowLabel(row)} />
      ) : memberId === null ? (
        rowLabel(row)
      ) : (
        <Link to="/members/$memberId" params={{ memberId }} className="l-link">
          {rowLabel(row)}
        </Link>
      ),
    ],
    ["E-mail", inputText(row, "email") ?? recipientText(row, "email")],
    ["Account key", recipientText(row, "accountKey")],
    ["Amount", dollars === undefined ? undefined : <b>{formatMoney(centsOf(dollars), currency)}</b>],
    ["Card", inputText(row, "cardId")],
    ["Valid for", days === undefined ? undefined : `${days} days`],
    ["Points", points === undefined ? undefined : <b>{formatSigned(points)}</b>],
    ["Reason", inputText(row, "reason")],
    ["Reference", inputText(row, "reference") ?? inputText(row, "externalRef")],
    ["Company", inputText(row, "company")],
    ["Outcome", outcome === "" ? undefined : outcome],
    ["Used by", row.taken_by && <ReferenceHolderLink by={row.taken_by} />],
    ["Sent", at(row.sent_at)],
    [
      row.state === "failed" || row.known_by === "answer" ? "Response received" : "Request ended",
      at(row.ended_at),
    ],
    ["Looked up next", at(row.next_look_at)],
    ["Attempts", row.attempts > 1 ? formatCount(row.attempts) : undefined],
    [
      jobKindDescriptors[job.kind].recordLabel,
      row.upstream_id === null || job.kind === "order-update" ? undefined : (
        <Made kind={job.kind} id={row.upstream_id} />
      ),
    ],
    ["Balance after", row.balance_after === null ? undefined : formatPoints(row.balance_after)],
  ]
  return <DescriptionList layout="beside" items={facts.filter(([, value]) => value !== undefined)} />
}

interface DecisionNoteProps {
  decision: RowDecision
  /** It was excluded before it was sent, while the job was paused. */
  leftOut: boolean
}

/** What somebody decided about a row, who and when. */
export function DecisionNote({ decision, leftOut }: DecisionNoteProps) {
  return (
    <Notice tone="info" title={leftOut ? "Excluded" : `Decided: ${decisionWords(decision).toLowerCase()}`}>
      By {decision.by.name}, {exact(decision.at)}.
      {decision.upstream_id !== null && (
        <>
          {" "}
          Linked to <span className="l-mono">{decision.upstream_id}</span>.
        </>
      )}
    </Notice>
  )
}

/** Whether a row may be left out: its job stands still, and it was never sent. */
export function canLeaveOut(job: Pick<Job, "state">, row: Pick<JobRow, "state" | "attempts">): boolean {
  return job.state === "paused" && row.state === "planned" && row.attempts === 0
}

/** Leaves one row out, so that what the service refuses of it does not hold the others up. */
export function LeaveOut({ job, row }: { job: Job; row: JobRow }) {
  const access = useJobAccess(job)
  const decide = useDecideRow(job.id, row.row)
  const [reason, setReason] = useState("")
  const said = reason.trim()
  const leave = () => decide.mutate({ decision: "leave", ...(said === "" ? {} : { reason: said }) })
  return (
    <div className={classes.form}>
      <p className="text-secondary">
        The job is paused. If the service refuses this row, skip it and resume the rest: nothing is sent for
        it, and you can correct and send it later.
      </p>
      {access.control && access.needsReason && (
        <JobReason
          job={job}
          label={`Why you’re deciding for ${job.created_by.name}`}
          required
          value={reason}
          onChange={setReason}
        />
      )}
      {decide.error !== null && <ErrorNotice error={decide.error} what="Couldn’t skip the row." />}
      <div className={classes.foot}>
        <span className="l-meta text-muted">Your decision is saved in the audit log.</span>
        <Allowed allowed={access.control} why={access.why}>
          <Button
            loading={decide.isPending}
            disabled={access.control && access.needsReason && said === ""}
            onClick={leave}
          >
            Leave row {rowNumber(row)} out
          </Button>
        </Allowed>
      </div>
    </div>
  )
}
