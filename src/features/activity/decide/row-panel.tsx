import { useQuery } from "@tanstack/react-query"
import { IconFileUnknown, IconX } from "@tabler/icons-react"
import { getRouteApi } from "@tanstack/react-router"
import { useCallback, useEffect, useRef, type ReactNode } from "react"
import type { Job } from "../../../../contract/job.ts"
import type { JobRow } from "../../../../contract/job-rows.ts"
import { jobRowsQuery } from "../../../api/jobs.ts"
import { EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { rowsQueryOf } from "../job/rows-query.ts"
import { canDecide, rowLabel, rowWords } from "../jobs/row-words.ts"
import { StateMark } from "../jobs/state-mark.tsx"
import { questionWords } from "./choice-words.ts"
import { DecisionNote } from "./decision-note.tsx"
import { canLeaveOut, LeaveOut } from "./leave-out.tsx"
import { Question } from "./question.tsx"
import { RowCause } from "./row-cause.tsx"
import { RowFacts } from "./row-facts.tsx"
import classes from "./panel.module.css"

const route = getRouteApi("/_desk/jobs_/$jobId")

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
