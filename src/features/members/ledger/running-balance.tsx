import { Loader, UnstyledButton } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { limits } from "../../../../contract/limits.ts"
import { balanceAfter, type Transaction } from "../../../../contract/program/points.ts"
import { requestsFor } from "../../../api/paging.ts"
import { transactionsQuery, wholeLedgerQuery } from "../../../api/points.ts"
import { cost, formatCount, formatPoints } from "../../../lib/format.ts"
import { ago, millis, shortDay } from "../../../lib/time.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { Segmented } from "../../../ui/segmented.tsx"
import classes from "../member-page.module.css"

const BalanceChart = lazy(async () => ({ default: (await import("./balance-chart.tsx")).BalanceChart }))

const ranges = [
  { value: "30d", label: "30 d" },
  { value: "90d", label: "90 d" },
  { value: "12m", label: "12 months" },
  { value: "all", label: "All" },
] as const

interface RunningBalanceProps {
  memberId: string
  perPage: number
}

/**
 * The balance over time, drawn from ledger rows that were read anyway: it asks for nothing by itself. Reading the
 * rest costs requests, so a person decides.
 */
export function RunningBalance({ memberId, perPage }: RunningBalanceProps) {
  const [range, setRange] = useState<BalanceRange>("12m")
  const tick = useNow("half-minute")
  const newest = useQuery({ ...transactionsQuery(memberId, { page: 1, per_page: perPage }), enabled: false })
  const whole = useQuery(wholeLedgerQuery(memberId))
  const rows = whole.data?.rows ?? newest.data?.data
  const total = whole.data?.rows.length ?? newest.data?.meta?.total

  if (rows?.length === 0 && (total ?? 0) === 0) return null
  const line = balanceLine(rows ?? [])
  // The rows tell the balance up to when they were read; the figures above may have been read since.
  const until = lineEnd(line, whole.data?.at ?? newest.data?.at ?? tick)
  const now = Math.max(tick, until)
  const from = rangeStart(line, range, now)
  const cut = cutLine(line, from, until)
  const complete = whole.data !== undefined || (total !== undefined && (rows?.length ?? 0) >= total)
  return (
    <section className={classes.section} aria-label="Running balance">
      <div className={classes.head}>
        <h2 className={classes.title}>Running balance</h2>
        <Segmented label="Period" value={range} options={ranges} onChange={setRange} />
      </div>
      <figure>
        {cut.length > 0 && (
          <div className={classes.chart} aria-hidden>
            <Suspense>
              <BalanceChart steps={cut} from={from} now={now} />
            </Suspense>
          </div>
        )}
        <figcaption className={classes.words}>
          {rows !== undefined && `${balanceSentence({ steps: cut, leftOut: line.leftOut, now })} `}
          <BalanceSource
            rowsRead={rows?.length}
            pageSize={perPage}
            total={total}
            complete={complete}
            reading={whole.isFetching || (rows === undefined && newest.isFetching)}
            onReadNewest={() => void newest.refetch()}
            onReadAll={() => void whole.refetch()}
          />
        </figcaption>
      </figure>
      {whole.error !== null && !whole.isFetching && (
        <ErrorNotice
          error={whole.error}
          what="Not every row was loaded; the line shows those that were."
          onRetry={() => void whole.refetch()}
        />
      )}
    </section>
  )
}

interface BalanceSourceProps {
  /** Rows the line is drawn from; undefined while none was read. */
  rowsRead: number | undefined
  /** Rows on a page of the ledger. */
  pageSize: number
  /** Rows of the whole ledger; undefined where the service gives no total. */
  total: number | undefined
  /** Every row was read. */
  complete: boolean
  reading: boolean
  onReadNewest: () => void
  onReadAll: () => void
}

/** Says which rows the line is drawn from, and offers to read more with what that costs. */
function BalanceSource(props: BalanceSourceProps) {
  const { rowsRead, pageSize, total, complete, reading, onReadNewest, onReadAll } = props
  if (reading) {
    return (
      <output className={classes.reading}>
        <Loader size={12} aria-hidden /> Reading rows
      </output>
    )
  }
  if (rowsRead === undefined) {
    return (
      <>
        Drawn from the newest rows, which the filters leave out.{" "}
        <UnstyledButton className="l-link" onClick={onReadNewest}>
          Read the {formatCount(pageSize)} newest rows
        </UnstyledButton>{" "}
        <span className="l-num">({cost(1)})</span>
      </>
    )
  }
  if (complete) return <>Drawn from all {formatCount(rowsRead)} rows.</>
  const price =
    total === undefined ? "one request per 100 rows" : cost(requestsFor(total, limits.perPage.max))
  return (
    <>
      Drawn from the {formatCount(rowsRead)} newest rows.{" "}
      <UnstyledButton className="l-link" onClick={onReadAll}>
        Read all {total === undefined ? "" : `${formatCount(total)} `}rows
      </UnstyledButton>{" "}
      <span className="l-num">({price})</span>
    </>
  )
}

interface BalanceWords {
  /** What is drawn, oldest first; the last step is when the rows were read. */
  readonly steps: readonly BalanceStep[]
  /** Rows that could not be drawn. */
  readonly leftOut: number
  readonly now: number
}

/** What the chart shows, in a sentence that says the same. */
function balanceSentence({ steps, leftOut, now }: BalanceWords): string {
  const first = steps[0]
  const last = steps.at(-1)
  const without = leftOut === 0 ? "" : ` ${rowsWithout(leftOut)}`
  if (first === undefined || last === undefined) return `No balances for this period.${without}`
  const points = steps.map((step) => step.points)
  const ends = `From ${formatPoints(first.points)} on ${shortDay(first.at, now)} to ${formatPoints(last.points)} as of ${ago(last.at, now)}`
  const between = `lowest ${formatPoints(Math.min(...points))}, highest ${formatPoints(Math.max(...points))}`
  return `${ends}, ${between}.${without}`
}

function rowsWithout(count: number): string {
  return count === 1
    ? "1 row has no balance and isn’t shown."
    : `${count} rows have no balance and aren’t shown.`
}

/** The balance from a moment on. */
export interface BalanceStep {
  /** ms since the epoch. */
  readonly at: number
  /** Points after the row of that moment. */
  readonly points: number
}

/** A running balance as far as the rows that were read tell it. */
interface BalanceLine {
  /** Oldest first; the balance holds from each step to the next. */
  readonly steps: readonly BalanceStep[]
  /** Rows that carry no balance or no readable time, and are not drawn. */
  readonly leftOut: number
}

/** Ranges of the chart in days; `all` is as far as was read. */
const balanceRanges = { "30d": 30, "90d": 90, "12m": 365, all: Infinity } as const
/** A range of the chart. */
type BalanceRange = keyof typeof balanceRanges

/**
 * The running balance from ledger rows, newest first as the service sends them. The balance at a time is the
 * balance after the last row up to it; of several rows in one ms the newest counts.
 */
export function balanceLine(rows: readonly Transaction[]): BalanceLine {
  const steps: BalanceStep[] = []
  for (const row of rows.toReversed()) {
    const at = row.created_at == null ? NaN : millis(row.created_at)
    const { points } = balanceAfter(row)
    if (!Number.isNaN(at) && points !== undefined) steps.push({ at, points })
  }
  // The sort is stable: rows of one ms keep their order, and the last of them stands.
  const sorted = steps.toSorted((a, b) => a.at - b.at)
  const drawn = sorted.filter((step, index) => sorted[index + 1]?.at !== step.at)
  return { steps: drawn, leftOut: rows.length - steps.length }
}

/** The balance at a moment; undefined before the first step, where nothing was read. */
export function balanceAt(line: BalanceLine, at: number): number | undefined {
  return line.steps.findLast((step) => step.at <= at)?.points
}

/**
 * The part of a line from `from` to `until`: it begins with the balance that held at `from` when that was read, and
 * ends with the balance that held at `until`.
 */
export function cutLine(line: BalanceLine, from: number, until: number): BalanceStep[] {
  const inside = line.steps.filter((step) => step.at > from && step.at <= until)
  const before = balanceAt(line, from)
  const start = before === undefined ? [] : [{ at: from, points: before }]
  const end = balanceAt(line, until)
  const last = end === undefined ? [] : [{ at: until, points: end }]
  const cut = [...start, ...inside, ...last]
  return cut.filter((step, index) => cut[index + 1]?.at !== step.at)
}

/** How far two clocks may be apart before a row counts as one from the future, in ms. */
const clockSkew = 60_000

/** Up to when the rows tell the balance, in ms: when they were read, or the newest of them by a faster clock. */
export function lineEnd(line: BalanceLine, readAt: number): number {
  const newest = line.steps.findLast((step) => step.at <= readAt + clockSkew)?.at ?? readAt
  return Math.max(readAt, newest)
}

/** The first moment of a range, in ms: so many days back, or the oldest step. */
export function rangeStart(line: BalanceLine, range: BalanceRange, now: number): number {
  const days = balanceRanges[range]
  return days === Infinity ? (line.steps[0]?.at ?? now) : now - days * 86_400_000
}
