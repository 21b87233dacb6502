import { Box, Group, Loader, Stack } from "@mantine/core"
import { useIntersection } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { type ComponentProps, lazy, memo, type ReactNode, Suspense, useState } from "react"
import { balanceAfter, type Transaction } from "../../../../contract/program/points.ts"
import { transactionsQuery, fullLedgerQuery } from "../../../api/points.ts"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { ago, millis, serverTime, shortDay } from "../../../lib/time.ts"
import { ErrorNotice } from "../../../ui/notice.tsx"
import { useServerNow } from "../../../ui/hooks.ts"

const BalanceChart = lazy(async () => ({ default: (await import("./balance-chart.tsx")).BalanceChart }))

/**
 * The balance over time in the filtered days: from the whole ledger where the local copy has it, else from the rows that
 * the list next to it shows. No upstream request.
 */
export const RunningBalance = memo(PlainRunningBalance)

interface Period {
  memberId: string
  perPage: number
  /** The list comes from the local copy. */
  copied: boolean
  /** The list next to it has no rows yet: they may be the ones that the line is drawn from. */
  isListLoading: boolean
  /** Both ends of the days, ISO 8601. */
  from: string | undefined
  to: string | undefined
}

function PlainRunningBalance(period: Period) {
  const { from = "", to = "" } = period
  const tick = useServerNow("half-minute")
  const { rows, total, readAt, isReading, full } = useLoadedRows(period)
  if (rows?.length === 0 && !total) return null

  const line = balanceLine(rows ?? [])
  // The rows are valid until they were read; the figures above may be newer.
  const read = lineEnd(line, readAt === undefined ? tick : serverTime(readAt))
  const now = Math.max(tick, read)
  const until = Math.min(read, to === "" ? Infinity : Date.parse(to))
  const start = from === "" ? -Infinity : Date.parse(from)
  const steps = cutLine(line, Math.max(start, line.steps[0]?.at ?? start), until)
  return (
    <Stack component="section" gap={4} px="gutter" pt={16} pb={8} aria-label="Running balance">
      <h2 className="small-heading">Running balance</h2>
      <figure>
        {(steps.length > 1 || isReading) && <ReservedChart steps={steps} isNow={until === read} />}
        <figcaption className="caption">
          {rows !== undefined && `${balanceSentence(steps, line.leftOut, now, until === read)} `}
          <Source rows={rows?.length} total={total} isLoading={isReading} />
        </figcaption>
      </figure>
      <ErrorNotice
        error={full.error}
        what="Not every row was loaded; the line shows those that were."
        onRetry={full.refetch}
      />
    </Stack>
  )
}

function useLoadedRows({ memberId, perPage, copied, isListLoading, from, to }: Period) {
  const between = { ...(from && { from }), ...(to && { to }) }
  // Without placeholder data: rows of another range would be wrong.
  const { placeholderData: _, ...first } = transactionsQuery(memberId, {
    page: 1,
    per_page: perPage,
    ...between,
  })
  const newest = useQuery({ ...first, enabled: false })
  const full = useQuery({ ...fullLedgerQuery(memberId, between), enabled: copied })
  const rows = full.data?.rows ?? newest.data?.data
  return {
    rows,
    total: full.data?.total ?? newest.data?.meta?.total,
    readAt: full.data?.at ?? newest.data?.at,
    isReading: rows === undefined && (full.isFetching || newest.isFetching || isListLoading),
    full,
  }
}

/** Which rows the line is drawn from. */
function Source(props: {
  rows: number | undefined
  total: number | undefined
  isLoading: boolean
}): ReactNode {
  const { rows, total, isLoading } = props
  if (isLoading) {
    return (
      <Group component="output" display="inline-flex" gap={6}>
        <Loader /> Loading…
      </Group>
    )
  }
  if (rows === undefined) return "The filters leave out the newest entries."
  const count = formatCount(rows)
  return total !== undefined && rows >= total ? `All ${count} entries.` : `Last ${count} entries.`
}

/** The chart, from when half of it is first in view; its space is reserved until it is loaded. */
function ReservedChart(props: ComponentProps<typeof BalanceChart>) {
  const { ref, entry } = useIntersection({ threshold: 0.5 })
  const [wasInView, setWasInView] = useState(false)
  if (entry?.isIntersecting === true && !wasInView) setWasInView(true)
  return (
    <Box ref={ref} mih={156} mb={4}>
      <Suspense>{wasInView && props.steps.length > 1 && <BalanceChart {...props} />}</Suspense>
    </Box>
  )
}

function balanceSentence(
  steps: readonly BalanceStep[],
  leftOut: number,
  now: number,
  isNow: boolean,
): string {
  const first = steps[0]
  const last = steps.at(-1)
  const one = leftOut === 1 ? "1 row has no balance and isn’t" : `${leftOut} rows have no balance and aren’t`
  const without = leftOut === 0 ? "" : ` ${one} shown.`
  if (first === undefined || last === undefined) return `No balances for this period.${without}`
  const points = steps.map((step) => step.points)
  const ends = `From ${formatPoints(first.points)} on ${shortDay(first.at, now)} to ${formatPoints(last.points)} ${isNow ? `as of ${ago(last.at, now)}` : `on ${shortDay(last.at, now)}`}`
  const between = `lowest ${formatPoints(Math.min(...points))}, highest ${formatPoints(Math.max(...points))}`
  return `${ends}, ${between}.${without}`
}

/** The balance in points from a time on, in ms since the epoch. */
export type BalanceStep = Readonly<Record<"at" | "points", number>>

interface BalanceLine {
  /** Oldest first; each balance is valid until the next step. */
  readonly steps: readonly BalanceStep[]
  /** Number of rows without a balance or a readable time, which are not drawn. */
  readonly leftOut: number
}

/**
 * The running balance from ledger rows, newest first as the service sends them. The balance at a time is that after
 * the last row up to it; for equal times the newest row wins.
 */
export function balanceLine(rows: readonly Transaction[]): BalanceLine {
  const steps = rows.toReversed().flatMap((row): BalanceStep[] => {
    const at = row.created_at == null ? Number.NaN : millis(row.created_at)
    const { points } = balanceAfter(row)
    return Number.isNaN(at) || points === undefined ? [] : [{ at, points }]
  })
  // The sort is stable: rows with equal times keep their order, and the last one wins.
  return { steps: lastOfEach(steps.toSorted((a, b) => a.at - b.at)), leftOut: rows.length - steps.length }
}

const lastOfEach = (steps: readonly BalanceStep[]) =>
  steps.filter((step, index) => steps[index + 1]?.at !== step.at)

/**
 * The part of a line from `from` to `until`: starts with the balance at `from`, if known, and ends with the balance
 * at `until`.
 */
export function cutLine(line: BalanceLine, from: number, until: number): BalanceStep[] {
  const heldAt = (at: number) => {
    const valid = line.steps.findLast((step) => step.at <= at)
    return valid === undefined ? [] : [{ ...valid, at }]
  }
  const inside = line.steps.filter((step) => step.at > from && step.at <= until)
  return lastOfEach([...heldAt(from), ...inside, ...heldAt(until)])
}

/** Tolerated clock difference before a row counts as in the future, in ms. */
const clockSkew = 60_000

/**
 * The time until which the rows are valid, in ms: when they were read, or the newest row's time if its clock is
 * ahead.
 */
export function lineEnd(line: BalanceLine, readAt: number): number {
  const newest = line.steps.findLast((step) => step.at <= readAt + clockSkew)?.at ?? readAt
  return Math.max(readAt, newest)
}
