import { Group, Stack, TextInput, UnstyledButton } from "@mantine/core"
import { useState, type ComponentProps, type ReactNode } from "react"
import { limits } from "../../contract/limits.ts"
import { recentDays } from "../../contract/earlier-awards.ts"
import type { Job } from "../../contract/job.ts"
import { OptionCards } from "../forms/fields.tsx"
import { JobLink } from "../ui/record-link.tsx"
import { LimitNotice, useAmountRefusal } from "../forms/job-submission.tsx"
import { counted, formatCount, formatPoints } from "../lib/format.ts"
import { DescriptionList } from "../ui/data-table.tsx"
import { ErrorNotice, Notice } from "../ui/notice.tsx"
import { ProgressLine } from "../ui/meter.tsx"
import type { Figure } from "../ui/page-header.tsx"
import { PanelEnd } from "./import-page.tsx"
import type { ImportSession, SheetState } from "./import-session.ts"
import classes from "./import.module.css"
import { type ImportJob, type Repeats, useRepeats, useStartJob } from "./start-job.ts"
import { Button } from "../ui/button.tsx"

type Facts = ComponentProps<typeof DescriptionList>["items"]

/** Summary of the rows, what prevents sending them, and the button; `children` describe how they are sent. */
export function ImportPanel(props: {
  session: ImportSession
  job: ImportJob
  title: string
  figures: readonly Figure[]
  facts: Facts
  moved?: { readonly largest: number; readonly sum: number }
  action: string
  ready?: boolean
  compared?: boolean
  children: ReactNode
}) {
  const { session, moved, ready = true, compared = true } = props
  const [title, setTitle] = useState("")
  const named = title.trim() === "" ? {} : { title: title.trim() }
  const job = { ...props.job, options: { ...props.job.options, ...named } }
  const { included, missing, busy: isChecking, leftOut, name } = session.state
  const repeats = useRepeats(job.kind, session, compared)
  const { start, busy, error, uploaded } = useStartJob(session, repeats.recheck)
  const refusalOf = useAmountRefusal(job.kind, error)
  const refusal = moved && refusalOf(moved.largest, moved.sum)
  const isComplete = included > 0 && missing.length === 0 && !isChecking
  const canStart =
    ready && isComplete && repeats.checked && isRecentAnswered(session.state) && refusal === undefined
  const progress = `${formatCount(uploaded)} of ${formatCount(included)} rows`
  const saveExcluded = async () => {
    const table = await session.read((sheet) => sheet.excludedTable())
    const { saveTable } = await import("../lib/table-file.ts")
    const format = session.state.origin?.excel ? { format: "xlsx" as const } : {}
    await saveTable({ name: `${name.replace(/\.[^.]*$/, "")} left out`, ...table, ...format })
  }
  return (
    <>
      <Stack component="section" gap={12} pb={20} className="line-below">
        <h2>{props.title}</h2>
        <Group component="dl" gap="12px 24px" align="normal" className={classes.figures}>
          {props.figures.map(({ label, value }) => (
            <div key={label}>
              <dt className="text-secondary l-meta">{label}</dt>
              <dd className="figure-text">{value}</dd>
            </div>
          ))}
        </Group>
        <DescriptionList layout="inline" missing={null} items={props.facts} />
      </Stack>
      {props.children}
      <TextInput
        label="Job name (optional)"
        description="How you find it in Activity. Members don’t see it."
        maxLength={limits.jobTitle}
        disabled={busy}
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <RepeatsNote session={session} repeats={repeats} />
      <AmountChoice session={session} />
      <RecentQuestion session={session} />
      {repeats.reversals.map(({ job: reversal, rows }) => (
        <ReversalNote key={reversal.id} reversal={reversal} rows={rows} />
      ))}
      <PanelEnd>
        <LimitNotice refusal={refusal} />
        {busy && (
          <Stack gap={4}>
            <ProgressLine aria-label="Uploading rows…" value={uploaded} max={Math.max(included, 1)} />
            <output className="l-num l-meta text-secondary">
              {progress} handed over. After that you can leave.
            </output>
          </Stack>
        )}
        {!busy && (
          <ErrorNotice
            error={error}
            what={`Nothing was sent to the service. ${progress} are uploaded; try again to continue.`}
            onRetry={() => start(job)}
          />
        )}
        <Button
          size="md"
          variant="filled"
          fullWidth
          loading={busy}
          disabled={!canStart}
          onClick={() => start(job)}
        >
          {props.action}
        </Button>
        {leftOut.total > 0 && (
          <span className="text-muted l-meta">
            {formatCount(leftOut.total)} {leftOut.total === 1 ? "row is" : "rows are"} left out.{" "}
            <UnstyledButton className="l-link" onClick={() => void saveExcluded()}>
              Download {leftOut.total === 1 ? "it" : "them"}
            </UnstyledButton>
          </span>
        )}
      </PanelEnd>
    </>
  )
}

/** Counts of confirmed and excluded rows. */
export function reviewFacts({ counts, acknowledged, leftOut }: SheetState): Facts {
  const keptRows = listed([
    [acknowledged.repeat, "sent before"],
    [acknowledged.amount + acknowledged.recent, "with another amount"],
    [acknowledged.duplicate, "duplicate", "duplicates"],
    [acknowledged.outlier, "unusually large or small"],
    [acknowledged.check, "other", "others"],
  ])
  const excluded = listed([
    [counts.problems, "with an error", "with errors"],
    [leftOut.repeat, "sent before"],
    [leftOut.amount + leftOut.recent, "with another amount"],
    [leftOut.duplicate, "duplicate", "duplicates"],
    [leftOut.outlier, "unusually large or small"],
    [leftOut.check, "to check"],
    [counts.out, "by hand"],
  ])
  return [
    ["Kept after review", keptRows],
    ["Left out", excluded],
  ]
}

function listed(parts: readonly (readonly [count: number, one: string, many?: string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, one, many = one]) => `${formatCount(count)} ${count === 1 ? one : many}`)
    .join(", ")
}

const namedJobs = 3

/** Rows that repeat earlier ones are excluded; including them is one choice that states their number. */
function RepeatsNote({ session, repeats }: { session: ImportSession; repeats: Repeats }) {
  const { change, state } = session
  const { error, jobs, recheck } = repeats
  if (error !== null) {
    const what = "The rows were not compared with earlier jobs, so nothing can be sent yet."
    return <ErrorNotice error={error} what={what} onRetry={recheck} />
  }
  const out = state.leftOut.repeat
  const acknowledged = state.acknowledged.repeat
  if (out + acknowledged === 0) return null
  const open = out > 0
  const count = open ? out : acknowledged
  const title = open
    ? `${counted(count, "row")} ${count === 1 ? "was" : "were"} sent before`
    : `${counted(count, "repeated row")} will be sent again`
  const excluded = count === 1 ? "It’s left out." : "They’re left out."
  return (
    <Notice tone="warning" title={title}>
      Same member, amount, and reference or reason as in{" "}
      {jobs.slice(0, namedJobs).map((id, at) => (
        <span key={id}>
          {at > 0 && ", "}
          <JobLink id={id} />
        </span>
      ))}
      {jobs.length > namedJobs && ` and ${counted(jobs.length - namedJobs, "more job")}`}. {open && excluded}
      <Group gap={8} mt={8} component="span">
        <Button size="xs" onClick={() => void change((sheet) => sheet.filter("checks"))}>
          {out + acknowledged === 1 ? "Show row" : "Show rows"}
        </Button>
        <Button
          size="xs"
          onClick={() => void change((sheet) => sheet.decide("repeat", open ? "keep" : "leave"))}
        >
          {open ? "Include" : "Leave out"} {counted(count, "repeated row")}
        </Button>
      </Group>
    </Notice>
  )
}

function option(value: string, label: string, help: string) {
  return {
    value,
    label: <span className="l-medium l-num">{label}</span>,
    help: <span className="l-meta text-secondary">{help}</span>,
  }
}

/** One choice for all rows whose reference was awarded another amount before. */
function AmountChoice({ session: { change, state } }: { session: ImportSession }) {
  const { choices, acknowledged, leftOut, differences, unsure } = state
  const rows = acknowledged.amount + leftOut.amount
  if (rows === 0) return null
  const { more, less, total } = differences
  const signed = [more > 0 && `+${formatPoints(more)}`, less > 0 && `−${formatPoints(less)}`].filter(Boolean)
  const notYet =
    unsure === 0
      ? ""
      : ` ${counted(unsure, "row")} can’t be corrected yet: the earlier award isn’t confirmed.`
  const taken = less === 0 ? "" : " A job of its own deducts what was awarded too much."
  return (
    <Stack gap={8}>
      <OptionCards
        legend={
          <b>
            {counted(rows, "row")}: another amount was awarded for{" "}
            {rows === 1 ? "its reference" : "their references"}
          </b>
        }
        value={choices["amount"] ?? ""}
        onChange={(chosen) => void change((sheet) => sheet.choose({ amount: chosen }))}
        options={[
          option("", "Leave out", "Nothing is sent for them."),
          {
            ...option(
              "difference",
              `Award the difference${signed.length === 0 ? "" : ` (${signed.join(", ")})`}`,
              `Afterwards the members have what the file says.${taken}${notYet}`,
            ),
            off: more + less === 0,
          },
          option("as_well", `Award ${formatPoints(total)} as well`, "On top of what was awarded before."),
        ]}
      />
      <Group>
        <Button size="xs" onClick={() => void change((sheet) => sheet.filter("checks"))}>
          {rows === 1 ? "Show row" : "Show rows"}
        </Button>
      </Group>
    </Stack>
  )
}

/** Whether the choice about new amounts for recently used reasons was made. */
function isRecentAnswered({ choices, acknowledged, leftOut }: SheetState): boolean {
  return acknowledged.recent + leftOut.recent === 0 || Boolean(choices["recent"])
}

/** One choice for the file: new amounts for the same reason are additional awards or corrections. */
function RecentQuestion({ session: { change, state } }: { session: ImportSession }) {
  const rows = state.acknowledged.recent + state.leftOut.recent
  if (rows === 0) return null
  const choice = state.choices["recent"] ?? ""
  const answer = (value: string, label: string) => (
    <Button
      size="xs"
      variant={choice === value ? "filled" : "default"}
      aria-pressed={choice === value}
      onClick={() => void change((sheet) => sheet.choose({ recent: value }))}
    >
      {label}
    </Button>
  )
  return (
    <Notice
      tone="warning"
      title={rows === 1 ? "Is 1 row a new award?" : `Are ${formatCount(rows)} rows new awards?`}
    >
      {rows === 1 ? "Its member was" : "Their members were"} awarded another amount for the same reason in the
      last {recentDays} days. Award new ones; leave out corrections, and reverse the earlier award first.
      <Group gap={8} mt={8} component="span">
        {answer("as_well", rows === 1 ? "New: award it" : "New: award them")}
        {answer("leave", rows === 1 ? "Leave it out" : "Leave them out")}
        <Button size="xs" variant="subtle" onClick={() => void change((sheet) => sheet.filter("checks"))}>
          {rows === 1 ? "Show row" : "Show rows"}
        </Button>
      </Group>
    </Notice>
  )
}

/** Progress of a reversal that rows of the file wait for. */
function ReversalNote({ reversal, rows }: { reversal: Job; rows: number }) {
  const { counts, total, state, reverses, id } = reversal
  const isPaused = state === "paused"
  const progress = `${formatCount(counts.confirmed)} of ${formatCount(total)}`
  const wait = rows === 1 ? "1 row waits" : `${formatCount(rows)} rows wait`
  return (
    <Notice
      tone={isPaused ? "warning" : "info"}
      title={`${reverses} is being reversed, ${progress}${isPaused ? ", paused" : ""}`}
      action={<JobLink id={id}>Open the reversal</JobLink>}
    >
      {wait} for it: a member gets the new award once the earlier one is reversed. Where that fails, nothing
      is sent.
    </Notice>
  )
}
