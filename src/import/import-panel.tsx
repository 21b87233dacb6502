import { Button, UnstyledButton } from "@mantine/core"
import { IconGauge } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { Api } from "../../contract/status.ts"
import { budgetQuery } from "../api/status.ts"
import { LimitNotice, useAmountRefusal } from "../forms/job-submission.tsx"
import { csvBlob } from "../lib/csv.ts"
import { formatCount } from "../lib/format.ts"
import { saveFile } from "../lib/save-file.ts"
import { ErrorNotice } from "../ui/error-notice.tsx"
import type { ImportSession, SheetState } from "./import-session.ts"
import classes from "./import.module.css"
import { RepeatsNote, useRepeats } from "./repeats.tsx"
import { useStartJob, type ImportJob } from "./start-job.ts"

/** A figure or a fact with its name. */
interface Fact {
  readonly label: string
  readonly value: ReactNode
}

interface ImportPanelProps {
  session: ImportSession
  job: ImportJob
  /** "What will be awarded". */
  title: string
  figures: readonly Fact[]
  /** What qualifies the figures. Facts without a value are not shown. */
  facts: readonly Fact[]
  /** What the rows move, in points or cents, to be held against the limits. */
  moved?: { readonly largest: number; readonly sum: number }
  /** Requests the job takes. */
  requests: number
  api?: Api
  /** The label of the button, with the effect: "Award 750 points to 1 member". */
  action: string
  /** The page knows everything it needs. */
  ready?: boolean
  /** Rows are compared with those of earlier jobs. */
  compared?: boolean
  /** How it is sent, and what else the page has to say. */
  children: ReactNode
}

/** What the rows come to, what prevents sending them, and the one button that starts the job. */
export function ImportPanel(props: ImportPanelProps) {
  const { session, job, title, figures, facts, moved, requests, api, action, children } = props
  const { ready = true, compared = true } = props
  const { state } = session
  const { included } = state
  const repeats = useRepeats(job.kind, session, compared)
  const { start, busy, error, uploaded } = useStartJob(session, repeats.recheck)
  const refusalOf = useAmountRefusal(job.kind, error)
  const refusal = moved && refusalOf(moved.largest, moved.sum)
  const canStart =
    ready &&
    included > 0 &&
    state.missing.length === 0 &&
    !state.busy &&
    repeats.checked &&
    refusal === undefined
  return (
    <>
      <section className={classes.summary}>
        <h2>{title}</h2>
        <FactList className={classes.figures} facts={figures} />
        <FactList className={classes.facts} facts={facts} />
      </section>
      {children}
      <RepeatsNote session={session} repeats={repeats} />
      <LimitNotice refusal={refusal} />
      <div className={classes.end}>
        {busy && (
          <div className={classes.progress}>
            <progress aria-label="Uploading rows…" value={uploaded} max={Math.max(included, 1)} />
            <output className="l-num l-meta text-secondary">
              {formatCount(uploaded)} of {formatCount(included)} rows handed over. After that you can leave.
            </output>
          </div>
        )}
        {!busy && error !== null && (
          <ErrorNotice
            error={error}
            what={`Nothing was sent to the service. ${formatCount(uploaded)} of ${formatCount(included)} rows are uploaded; try again to continue.`}
            onRetry={() => start(job)}
          />
        )}
        <BudgetLine requests={requests} api={api} />
        <Button
          size="md"
          variant="filled"
          fullWidth
          loading={busy}
          disabled={!canStart}
          onClick={() => start(job)}
        >
          {action}
        </Button>
        <ExcludedRows session={session} />
      </div>
    </>
  )
}

function FactList({ className, facts }: { className: string | undefined; facts: readonly Fact[] }) {
  return (
    <dl className={className}>
      {facts
        .filter(({ value }) => value !== "" && value !== null && value !== undefined)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** What a person kept after a check, and what is excluded. */
export function reviewFacts({ kept, leftOut }: SheetState): readonly Fact[] {
  return [
    {
      label: "Kept after review",
      value: listed([
        [kept.repeats, "sent before"],
        [kept.duplicates, "duplicate", "duplicates"],
        [kept.outliers, "outlier", "outliers"],
        [kept.others, "other", "others"],
      ]),
    },
    {
      label: "Excluded",
      value: listed([
        [leftOut.problems, "problem", "problems"],
        [leftOut.repeats, "sent before"],
        [leftOut.duplicates, "duplicate", "duplicates"],
        [leftOut.outliers, "outlier", "outliers"],
        [leftOut.others, "to check"],
        [leftOut.byHand, "by hand"],
      ]),
    },
  ]
}

/** "5 problems, 3 duplicates"; empty when every count is 0. */
function listed(parts: readonly (readonly [count: number, one: string, many?: string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, one, many = one]) => `${formatCount(count)} ${count === 1 ? one : many}`)
    .join(", ")
}

/** What is left of a service's requests, which everybody shares, and what that means for a job that needs so many. */
function BudgetLine({ requests, api = "program" }: { requests: number; api?: Api | undefined }) {
  const { data } = useQuery(budgetQuery)
  const budget = data?.find((each) => each.api === api)
  if (budget === undefined) return null
  const left = `${formatCount(budget.left)} of ${formatCount(budget.limit)} left`
  return (
    <div className={classes.budget}>
      <IconGauge size={16} stroke={1.75} aria-hidden />
      <span className="l-num">
        {requests <= budget.left_for_jobs
          ? `${left}: starts right away`
          : `${left}: runs in the background; your work comes first`}
      </span>
    </div>
  )
}

/** Says how many rows are excluded, and saves them with the reason of each. Draws nothing when none are. */
function ExcludedRows({ session }: { session: ImportSession }) {
  const { leftOut, name } = session.state
  if (leftOut.total === 0) return null
  const save = async () => {
    const csv = await session.excludedCsv()
    saveFile(`${name.replace(/\.[^.]*$/, "")} excluded.csv`, csvBlob(csv))
  }
  return (
    <span className="text-muted l-meta">
      {formatCount(leftOut.total)} {leftOut.total === 1 ? "row is" : "rows are"} left out.{" "}
      <UnstyledButton className="l-link" onClick={() => void save()}>
        Download {leftOut.total === 1 ? "it" : "them"}
      </UnstyledButton>
    </span>
  )
}
