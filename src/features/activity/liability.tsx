import { Button } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { limits } from "../../../contract/limits.ts"
import type { Member } from "../../../contract/program/member.ts"
import { everyMemberQuery, membersQuery, readEveryMember } from "../../api/members.ts"
import { type EveryRow, type PageProgress, requestsFor } from "../../api/paging.ts"
import { rowsText } from "./job-status.tsx"
import { cost, formatCount, formatPoints } from "../../lib/format.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { Meter } from "../../ui/meter.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./report.module.css"

/** Everybody: the list without a filter. */
const everybody = {}

/** What the members hold between them, as far and as lately as it was read. */
export function Liability() {
  const client = useQueryClient()
  const { data: every } = useQuery(everyMemberQuery(everybody))
  const reading = useReading()
  // Known only where the list was open; asking for it would itself cost a request.
  const first = client.getQueryData(membersQuery({ page: 1, per_page: limits.perPage.default }).queryKey)
  const total = every?.rows.length ?? first?.meta?.total
  return (
    <aside className={classes.side} aria-label="Points liability">
      <h2>Points liability</h2>
      <p className="text-secondary">
        The total of all members’ balances: points that can be redeemed at any time.
      </p>
      {every ? <Sum every={every} /> : <p className="text-muted">Not loaded yet.</p>}
      {reading.error !== null && (
        <ErrorNotice error={reading.error} what="Couldn’t load the balances. Showing earlier figures." />
      )}
      {reading.progress === null ? (
        <div className={classes.load}>
          <Button onClick={reading.start}>{every ? "Refresh" : "Load all balances"}</Button>
          <span className="l-meta text-muted">
            {total === undefined
              ? "One request per 100 members"
              : cost(requestsFor(total, limits.perPage.max))}
          </span>
        </div>
      ) : (
        <Meter label="Loading all balances…" progress={reading.progress} onCancel={reading.cancel} />
      )}
    </aside>
  )
}

function Sum({ every }: { every: Parameters<typeof liabilityOf>[0] }) {
  const { points, members, unknown } = liabilityOf(every)
  return (
    <div>
      <p className={classes.figure}>{formatPoints(points)}</p>
      <p className="l-meta text-muted">
        {rowsText(members, "member")}, read <RelativeTime at={every.at} />
        {unknown > 0 && `, ${formatCount(unknown)} without a balance`}
      </p>
    </div>
  )
}

function useReading() {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<PageProgress | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setError(null)
    setProgress({ done: 0, of: null, restarts: 0 })
    try {
      await readEveryMember(client, everybody, {
        signal,
        onProgress: (now) => {
          if (!signal.aborted) setProgress(now)
        },
      })
    } catch (failed) {
      if (!signal.aborted) setError(failed)
    }
    if (!signal.aborted) setProgress(null)
  }
  return {
    progress,
    error,
    start: () => void start(),
    cancel: () => {
      running.current?.abort()
      setProgress(null)
    },
  }
}

/** What members hold between them. */
interface LiabilitySum {
  /** Points; an overdrawn balance counts against the others, as it does in the program's books. */
  readonly points: number
  readonly members: number
  /** Members whose balance did not come: they are not in the sum. */
  readonly unknown: number
}

/** Sums the balances of members as they were read. */
function liabilityOf({ rows }: EveryRow<Member>): LiabilitySum {
  let points = 0
  let unknown = 0
  for (const { points_balance: balance } of rows) {
    if (typeof balance === "number") points += balance
    else unknown += 1
  }
  return { points, members: rows.length, unknown }
}
