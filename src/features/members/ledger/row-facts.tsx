import type { ReactNode } from "react"
import type { Transaction } from "../../../../contract/program/points.ts"
import { exact } from "../../../lib/time.ts"
import { CopyText } from "../../../ui/values.tsx"
import { asText, furtherFields } from "../page/further-fields.ts"
import classes from "./row-facts.module.css"

/** Fields that the row itself shows, or that are shown by name below. */
const shown = [
  "transaction_id",
  "member_id",
  "type",
  "points",
  "reason",
  "reference",
  "balance_after",
  "new_balance",
  "metadata",
  "created_at",
]

/** Everything the service says about a ledger row. */
export function RowFacts({ row }: { row: Transaction }) {
  const metadata = Object.entries(row.metadata ?? {})
  return (
    <dl className={classes.facts}>
      <Fact label="Transaction id">
        <CopyText text={row.transaction_id} mono />
      </Fact>
      {row.created_at != null && <Fact label="When">{exact(row.created_at)}</Fact>}
      {row.reason != null && row.reason !== "" && <Fact label="Reason">{row.reason}</Fact>}
      {row.reference != null && row.reference !== "" && (
        <Fact label="Reference">
          <CopyText text={row.reference} mono />
        </Fact>
      )}
      {[...metadata, ...furtherFields(row, shown)].map(([key, value]) => (
        <Fact key={key} label={key}>
          {asText(value)}
        </Fact>
      ))}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>{children}</dd>
    </div>
  )
}
