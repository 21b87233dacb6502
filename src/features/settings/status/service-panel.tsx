import type { Connection } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"
import { duration } from "../../../lib/time.ts"
import { RelativeTime } from "../../../ui/values.tsx"
import { Status } from "../../../ui/status.tsx"
import { Facts, type FactRow } from "../facts.tsx"
import { DayStrip } from "./day-strip.tsx"
import { NotConnected } from "./not-connected.tsx"
import { SeenKey } from "./seen-key.tsx"
import { serviceNames } from "./service-names.ts"
import classes from "./service-panel.module.css"

/** One service: how it is doing, how fast it answers, what its key was seen to be allowed. */
export function ServicePanel({ connection }: { connection: Connection }) {
  const { api, state, base_url, day } = connection
  const heading = `service-${api}`
  return (
    <section className={classes.panel} aria-labelledby={heading}>
      <div className={classes.head}>
        <h3 id={heading}>{serviceNames[api]}</h3>
        <Status of="service" value={state} />
      </div>
      {base_url !== null && <p className={classes.address}>{base_url.replace(/^https?:\/\//, "")}</p>}
      {state === "not_connected" ? (
        <NotConnected api={api} />
      ) : (
        <>
          {state === "not_answering" && (
            <p className={classes.trouble}>
              Pages show the last loaded data with its age. Nothing is lost, and Laurel retries with the next
              page that needs it.
            </p>
          )}
          <DayStrip slots={day} />
          <Facts rows={facts(connection)} />
        </>
      )}
    </section>
  )
}

function facts(connection: Connection): readonly FactRow[] {
  const { half_within_ms, most_within_ms, last_trouble, key_end, rate_limit, seen } = connection
  return [
    ["Median response time", within(half_within_ms)],
    ["95th-percentile response time", within(most_within_ms)],
    ["Last error", last_trouble === null ? "None" : <Trouble key="trouble" {...last_trouble} />],
    ...(key_end === null ? [] : [["Key", `ends in ${key_end}`] as const]),
    ["Reads and writes", <SeenKey key="seen" seen={seen} />],
    ["Rate limit", rate_limit === null ? "Unknown" : `${formatCount(rate_limit)} a minute`],
  ]
}

function within(ms: number | null): string {
  return ms === null ? "No responses yet" : duration(ms)
}

function Trouble({ at, what }: { at: string; what: string }) {
  return (
    <>
      <RelativeTime at={at} />, {what}
    </>
  )
}
