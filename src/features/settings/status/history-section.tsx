import type { HistoryLag } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import { duration } from "../../../lib/time.ts"
import { Facts } from "../facts.tsx"
import { SectionHead } from "../section-head.tsx"
import classes from "./desk-section.module.css"

/** How soon the ledger shows our own awards: it decides how long a call without an answer is waited for. */
export function HistorySection({ lag }: { lag: HistoryLag }) {
  return (
    <section>
      <SectionHead title="Ledger delay" end="From a sample of the last 2 hours" />
      <div className={classes.facts}>
        <Facts
          rows={[
            ["Watched", formatCount(lag.watched)],
            ["Usually shown within", lag.usual_ms === null ? "None shown yet" : duration(lag.usual_ms)],
            ["Longest", duration(lag.largest_ms)],
            ["Not shown yet", formatCount(lag.missing)],
          ]}
        />
      </div>
    </section>
  )
}
