import type { DeskStatus } from "../../../../contract/status.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { Facts } from "../facts.tsx"
import { SectionHead } from "../section-head.tsx"
import classes from "./desk-section.module.css"

const stores: Readonly<Record<DeskStatus["store"], string>> = {
  sqlite: "SQLite, one file beside the server",
  postgres: "PostgreSQL, shared by all instances",
  memory: "In memory: lost when the page or the server stops",
}

/** The desk itself: version, where it keeps its own records, since when it runs. */
export function DeskSection({ status }: { status: DeskStatus }) {
  return (
    <section>
      <SectionHead title="This server" />
      <div className={classes.facts}>
        <Facts
          rows={[
            ["Version", status.version],
            ["Environment", status.environment],
            ["Started", <RelativeTime key="started" at={status.started_at} />],
            ["Store", stores[status.store]],
          ]}
        />
      </div>
    </section>
  )
}
