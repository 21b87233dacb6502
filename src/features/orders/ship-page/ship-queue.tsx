import { IconPackage } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { AsOf, EmptyState, SkeletonRows } from "../../../ui/query-state.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import { Waiting } from "../list/waiting.tsx"
import { orderName, type OrderRow } from "../show/order-row.ts"
import classes from "./ship-queue.module.css"
import type { ToShip } from "./use-to-ship.ts"

interface ShipQueueProps {
  toShip: ToShip
  /** Id of the order in hand. */
  current: string | undefined
  onPick: (id: string) => void
}

/** What waits to be shipped, the oldest of what was loaded first; a press takes an order in hand. */
export function ShipQueue({ toShip, current, onPick }: ShipQueueProps) {
  const { rows, complete, at, error, isFetching, refetch } = toShip
  return (
    <aside className={classes.queue} aria-label="To ship">
      <div className={classes.head}>
        <h2>To ship</h2>
        {complete !== undefined && (
          <span className="text-muted l-num">{queueWords(rows.length, complete)}</span>
        )}
        <span className={classes.end}>
          <AsOf at={at} refreshing={isFetching} onRefresh={() => void refetch()} />
        </span>
      </div>
      {error !== null && (
        <div className={classes.note}>
          <ErrorNotice
            error={error}
            what={complete === undefined ? "Couldn’t load the queue." : "Couldn’t refresh the queue."}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {complete === undefined && error === null && <SkeletonRows rows={8} columns={[200, 60]} />}
      {complete !== undefined && rows.length === 0 && (
        <EmptyState
          icon={IconPackage}
          title={complete ? "Nothing to ship" : "Nothing loaded is waiting to ship"}
          help={complete ? "New orders appear here." : "More orders are pending on the Orders page."}
        />
      )}
      <ul>
        {rows.map((row) => (
          <QueueRow key={row.order.order_id} row={row} current={current} onPick={onPick} />
        ))}
      </ul>
      {complete === false && rows.length > 0 && (
        <p className={classes.foot}>
          Only the first 100 pending and the first 100 processing orders are loaded; older ones may be
          missing. You can scan any order.
        </p>
      )}
    </aside>
  )
}

function QueueRow({ row, current, onPick }: { row: OrderRow } & Pick<ShipQueueProps, "current" | "onPick">) {
  const { order, member } = row
  const id = order.order_id
  return (
    <li className={classes.row} aria-current={id === current || undefined}>
      <button type="button" className={classes.pick} onClick={() => onPick(id)}>
        <span className={classes.words}>
          <span className={classes.name}>{orderName(order)}</span>
          <span className={classes.who}>
            <span className="l-mono">{id}</span> {member}
          </span>
        </span>
        <span className={classes.age}>
          <Waiting since={order.created_at} />
        </span>
      </button>
    </li>
  )
}

function queueWords(count: number, complete: boolean): string {
  return complete
    ? `${formatCount(count)}, oldest first`
    : `${formatCount(count)}+, oldest of those loaded first`
}
