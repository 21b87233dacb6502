import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { transactionsQuery, wholeLedgerQuery } from "../../../api/points.ts"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { useNow } from "../../../ui/hooks.ts"
import { balanceLine, cutLine, lineEnd, rangeStart, type BalanceRange } from "./balance-line.ts"
import { BalanceSource } from "./balance-source.tsx"
import { balanceSentence } from "./balance-words.ts"
import classes from "./running-balance.module.css"

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
