import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { OrderAddress } from "../../../../contract/orders.ts"
import { exact } from "../../../lib/time.ts"
import { CopyText } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import type { OrderRow } from "../show/order-row.ts"
import { AddressFact } from "./address-fact.tsx"
import { furtherFacts } from "./further-facts.ts"
import classes from "./order-page.module.css"

interface OrderFactsProps {
  row: OrderRow
  /** Where it goes; undefined while it is read, and for those who may not see it. */
  where: OrderAddress | undefined
  mayAddress: boolean
}

/** What is known of an order: what, for whom, where to, and whatever else the service sent. */
export function OrderFacts({ row, where, mayAddress }: OrderFactsProps) {
  const { order, member, type } = row
  const { member_id: memberId, reward_id: rewardId, reward_name: rewardName } = order
  const further = furtherFacts(order)
  return (
    <aside className={classes.facts} aria-label="Facts">
      <dl className={classes.list}>
        <Fact label="Reward">
          {rewardId ? (
            <Link to="/rewards/$rewardId" params={{ rewardId }} className="l-link">
              {rewardName || rewardId}
            </Link>
          ) : (
            rewardName || <span className="text-muted">Not given</span>
          )}
        </Fact>
        <Fact label="Type">
          {type ? <Status of="reward-type" value={type} /> : <span className="text-muted">Not given</span>}
        </Fact>
        <Fact label="Member">
          {memberId ? (
            <Link to="/members/$memberId" params={{ memberId }} className="l-link">
              {member}
            </Link>
          ) : (
            <span className="text-muted">Not given</span>
          )}
        </Fact>
        {memberId && member !== memberId && (
          <Fact label="Member id">
            <CopyText text={memberId} mono cut />
          </Fact>
        )}
        <Fact label="Created">
          {order.created_at ? exact(order.created_at) : <span className="text-muted">Not given</span>}
        </Fact>
        {order.shipped_at && <Fact label="Shipped">{exact(order.shipped_at)}</Fact>}
        <Fact label="Order id">
          <CopyText text={order.order_id} mono cut />
        </Fact>
      </dl>
      <AddressFact where={where} mayAddress={mayAddress} />
      {further.length > 0 && (
        <section className={classes.group}>
          <h2>Other fields by the service</h2>
          <dl className={classes.list}>
            {further.map(([label, value]) => (
              <Fact key={label} label={label}>
                <CopyText text={value} cut />
              </Fact>
            ))}
          </dl>
        </section>
      )}
    </aside>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className={classes.label}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
