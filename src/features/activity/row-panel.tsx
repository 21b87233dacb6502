import { Group, Stack } from "@mantine/core"
import { useEventListener } from "@mantine/hooks"
import { IconFileUnknown, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type ComponentProps, useEffect, useRef } from "react"
import { explainCode, ownerSentences } from "../../../contract/error-catalogue.ts"
import { isReversible, isReversing, jobKindDescriptors, type JobKind } from "../../../contract/job-kinds.ts"
import type { JobRow } from "../../../contract/job-rows.ts"
import type { Job } from "../../../contract/job.ts"
import { jobRowsQuery, pageOfRow, rowNumber, useDecideRow } from "../../api/jobs.ts"
import { useSession } from "../../api/session.ts"
import { CardLink, OrderLink, ReferenceHolderLink, RowLink } from "../../ui/record-link.tsx"
import { centsOf, formatCount, formatMoney, formatPoints, formatSigned } from "../../lib/format.ts"
import { exact } from "../../lib/time.ts"
import { DescriptionList } from "../../ui/data-table.tsx"
import { catalogueStep, Notice } from "../../ui/notice.tsx"
import { useFocusBack, useServerNow } from "../../ui/hooks.ts"
import { Button, IconButton } from "../../ui/button.tsx"
import { EmptyState, QueryState } from "../../ui/query-state.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { CopyText } from "../../ui/values.tsx"
import { useReason } from "../../forms/job-reason.tsx"
import { DecisionFields, Question, questionTitle, RowMember } from "./decide-row.tsx"
import { useNamedRows, useShow } from "./job-hooks.tsx"
import {
  canDecide,
  changeText,
  clockTime,
  decisionLabel,
  inputText,
  needsPerson,
  outcomeLabel,
  recipientText,
  rowDollars,
  rowLabel,
  rowPoints,
  rowStatusText,
} from "./job-status.tsx"
import classes from "./job.module.css"
import { toRowsQuery } from "./activity-search.ts"

const route = getRouteApi("/_app/jobs_/$jobId")
const none: readonly JobRow[] = []

/** One row next to the table: its details, and the question if it needs a decision. */
export function RowPanel({ job, row: number }: { job: Job; row: number }) {
  useFocusBack(String(number))
  const show = useShow()
  const query = useRow(job, number)
  const row = query.data ?? undefined
  const heading = useRef<HTMLHeadingElement>(null)
  const close = () => show()
  // Unless an element in it has handled the key.
  const panel = useEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) close()
  })
  // Screen readers continue here after opening the panel or the next row.
  useEffect(() => heading.current?.focus(), [])
  const asks = row !== undefined && canDecide(row)
  // The button that decided is removed with the question.
  useEffect(() => {
    if (!asks && document.activeElement === document.body) heading.current?.focus()
  }, [asks])
  const title = asks ? questionTitle(job.kind, row) : row && rowLabel(row)
  return (
    <Stack
      component="aside"
      ref={panel}
      className={`grow scroll ${classes.panel}`}
      aria-label={`Row ${row === undefined ? number : rowNumber(row)}`}
    >
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <Stack gap="xs" className="grow">
          {row !== undefined && <RowStatus row={row} />}
          <h2 ref={heading} tabIndex={-1} className="wrap-anywhere">
            {title ?? `Row ${number}`}
          </h2>
        </Stack>
        <IconButton label="Close the row" icon={<IconX size={16} stroke={1.75} />} onClick={close} />
      </Group>
      <QueryState query={query} noun="row" rows={4} columns={[120, 180]}>
        {(read) =>
          read === null ? (
            <EmptyState icon={IconFileUnknown} title={`This job has no row ${number}`} />
          ) : (
            <>
              <DecisionNote row={read} />
              <RowCause kind={job.kind} row={read} />
              {job.state === "paused" && read.state === "planned" && read.attempts === 0 && (
                <LeaveOut job={job} row={read} />
              )}
              {asks ? <Question job={job} row={read} /> : <RowFacts job={job} row={read} />}
            </>
          )
        }
      </QueryState>
    </Stack>
  )
}

/** The row from the table, otherwise looked up by its number; null when the job has no such row. */
function useRow(job: Job, number: number) {
  const page = useQuery(jobRowsQuery(job.id, toRowsQuery(route.useSearch())))
  const has = (rows: readonly JobRow[]) => rows.find(({ row }) => row === number)
  // The same query as the table's.
  const inTable = has(useNamedRows(page.data?.rows ?? none))
  const shown = page.isPlaceholderData ? undefined : inTable
  const found = useQuery({
    // Its number in the job, which differs from the file's.
    ...jobRowsQuery(job.id, pageOfRow(number)),
    enabled: shown === undefined && !page.isPending && !page.isPlaceholderData,
  })
  const elsewhere = has(useNamedRows(found.data?.rows ?? none))
  const row = shown ?? (found.isPlaceholderData ? undefined : elsewhere)
  const error = row === undefined ? (found.error ?? page.error) : null
  const isRead = !page.isPending && !page.isPlaceholderData && !found.isFetching && error === null
  return { data: row ?? (isRead ? null : undefined), error, refetch: found.refetch }
}

function RowStatus({ row }: { row: JobRow }) {
  return <StatusLabel status={rowStatusText(row)} asks={needsPerson(row)} />
}

function DecisionNote({ row: { decision, outcome } }: { row: JobRow }) {
  if (decision === undefined) return null
  const decided = `Decided: ${decisionLabel(decision).toLowerCase()}`
  return (
    <Notice tone="info" title={outcome?.code === "left_out" ? "Left out" : decided}>
      By {decision.by.name}, {exact(decision.at)}.{decision.upstream_id !== null && " Linked to "}
      {decision.upstream_id !== null && <span className="l-mono">{decision.upstream_id}</span>}
      {decision.upstream_id !== null && "."}
    </Notice>
  )
}

/** The error catalogue's text for the service's code; Laurel's own outcomes need none. */
function RowCause({ kind, row: { outcome, state } }: { kind: JobKind; row: JobRow }) {
  const entry = outcome === null || state === "confirmed" ? undefined : explainCode(kind, outcome.code)
  if (entry === undefined) return null
  return (
    <Notice
      tone={state === "failed" ? "danger" : "warning"}
      title={entry.title}
      detail={entry.code ?? String(entry.status)}
      action={catalogueStep(entry.action)}
    >
      {`${entry.happened} ${ownerSentences[entry.whose]} ${entry.next}`}
    </Notice>
  )
}

function RowFacts({ job, row }: { job: Job; row: JobRow }) {
  const now = useServerNow("half-minute")
  const { currency } = useSession().program
  const isOrder = jobKindDescriptors[job.kind].subject === "order"
  const points = rowPoints(job.kind, row)
  const dollars = rowDollars(row)
  const days = inputText(row, "expiryDays")
  const at = (time: string | null) => time && clockTime(time, now)
  const facts: ComponentProps<typeof DescriptionList>["items"] = [
    ["Row", formatCount(rowNumber(row))],
    ["Requested", changeText(job.kind, row)],
    [isOrder ? "Order" : "Member", isOrder ? <OrderLink id={rowLabel(row)} /> : <RowMember row={row} />],
    ["E-mail", inputText(row, "email") ?? recipientText(row, "email")],
    ["Account key", recipientText(row, "accountKey")],
    ["Amount", dollars !== undefined && <b>{formatMoney(centsOf(dollars), currency)}</b>],
    ["Card", inputText(row, "cardId")],
    ["Valid for", days && `${days} days`],
    ["Points", points !== undefined && <b>{formatSigned(points)}</b>],
    ["Reason", inputText(row, "reason")],
    ["Reference", inputText(row, "reference") ?? inputText(row, "externalRef")],
    ["Company", inputText(row, "company")],
    ["Outcome", outcomeLabel(row)],
    // An award may also follow a merge or a cancelled order.
    [
      isReversible(job.kind) ? "Reversed by" : "Followed by",
      row.reversed_by && <RowLink of={row.reversed_by} />,
    ],
    [isReversing(job.kind) ? "Reverses" : "Follows", row.reverses && <RowLink of={row.reverses} />],
    ["Used by", row.taken_by && <ReferenceHolderLink by={row.taken_by} />],
    ["Sent", at(row.sent_at)],
    [row.state === "failed" || row.known_by === "answer" ? "Response received" : "Ended", at(row.ended_at)],
    ["Looked up next", at(row.next_look_at)],
    ["Attempts", row.attempts > 1 && formatCount(row.attempts)],
    [
      jobKindDescriptors[job.kind].recordLabel,
      row.upstream_id !== null && !isOrder && <Created kind={job.kind} id={row.upstream_id} />,
    ],
    ["Balance after", row.balance_after !== null && formatPoints(row.balance_after)],
  ]
  return <DescriptionList layout="inline" missing={null} items={facts} />
}

function Created({ kind, id }: { kind: JobKind; id: string }) {
  const { record } = jobKindDescriptors[kind]
  if (record === "order") return <OrderLink id={id} />
  if (record !== "card") return <CopyText text={id} mono cut />
  return <CardLink id={id} />
}

/** Leaves out one unsent row of a stopped job, so that a refused row does not block the others. */
function LeaveOut({ job, row }: { job: Job; row: JobRow }) {
  const reason = useReason(job)
  const decide = useDecideRow(job.id, row.row)
  return (
    <Stack flex={1}>
      <p className="text-secondary">
        The job is paused. If the service refuses this row, skip it and resume the rest: nothing is sent for
        it, and you can correct and send it later.
      </p>
      <DecisionFields reason={reason} error={decide.error} notDone="Couldn’t skip the row.">
        <Button
          loading={decide.isPending}
          disabled={reason.access.control && reason.missing}
          onClick={() => decide.mutate({ decision: "leave", ...reason.body })}
        >
          Leave row {rowNumber(row)} out
        </Button>
      </DecisionFields>
    </Stack>
  )
}
