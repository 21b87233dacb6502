import type { ReactNode } from "react"
import type { Reward } from "../../../../contract/program/reward.ts"
import { asSent } from "../../../../contract/reading.ts"
import { CopyText } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { addressNeed } from "../redeem/redeem-model.ts"
import { Stock } from "../show/stock.tsx"
import classes from "./reward-page.module.css"

const addresses = {
  required: "Requested when it is redeemed",
  optional: "Optional",
  none: "Not needed",
} as const

/** What is known of a reward. */
export function RewardFacts({ reward }: { reward: Reward }) {
  const { id, category, type, status, stock } = reward
  const sent = asSent(reward, "stock")
  return (
    <aside className={classes.facts} aria-label="Facts">
      <dl className={classes.list}>
        <Fact label="Category">{category || <span className="text-muted">None</span>}</Fact>
        <Fact label="Type">{type ? <Status of="reward-type" value={type} /> : "Not given"}</Fact>
        <Fact label="Status">{status ? <Status of="reward" value={status} /> : "Not given"}</Fact>
        <Fact label="Stock">
          {stock === undefined && sent === undefined ? "Not given" : <Stock stock={stock} sent={sent} />}
        </Fact>
        <Fact label="Address">{addresses[addressNeed(type)]}</Fact>
        <Fact label="Reward id">
          <CopyText text={id} mono cut />
        </Fact>
      </dl>
    </aside>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className={classes.label}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
