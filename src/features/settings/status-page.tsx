import { Tooltip } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { type Api, apis, type Connection, type AppStatus, type HistoryLag } from "../../../contract/status.ts"
import { statusQuery } from "../../api/status.ts"
import { type FactRow, Facts, NeedsRolePage, SectionHead, serviceNames } from "./settings-parts.tsx"
import { BudgetSection } from "./status-budget.tsx"
import { DriftSection, SeenKey } from "./status-drift.tsx"
import { formatCount } from "../../lib/format.ts"
import { duration, timeOfDay } from "../../lib/time.ts"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { AsOf, SkeletonRows } from "../../ui/query-state.tsx"
import { Status } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"

const route = getRouteApi("/_app/settings/status")

/** The budget fills up again without any event: the page follows it, in ms. */
const followEvery = 10_000

/** How the desk and both services are doing. */
export function StatusPage() {
  return (
    <NeedsRolePage permission="status.read" title="Status">
      <LiveStatus />
    </NeedsRolePage>
  )
}

function LiveStatus() {
  const { api } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery({ ...statusQuery, refetchInterval: followEvery })
  // What is re-read by itself says nothing while it runs; a busy team would see it flicker.
  const [asked, setAsked] = useState(false)
  const again = () => {
    setAsked(true)
    void refetch().finally(() => setAsked(false))
  }
  const status = data?.data
  return (
    <>
      {error !== null && <ErrorNotice error={error} what="Couldn’t load the status." onRetry={again} />}
      {status === undefined ? (
        error === null && <SkeletonRows rows={10} columns={[220, 320, 120]} />
      ) : (
        <>
          <BudgetSection
            budgets={status.budgets}
            api={api}
            asOf={<AsOf at={data?.at} refreshing={asked} onRefresh={again} />}
            onApi={(chosen) => void navigate({ search: { api: chosen }, replace: true, resetScroll: false })}
          />
          <ServicesSection connections={status.connections} />
          <DriftSection rows={status.drift} />
          {status.history !== null && <HistorySection lag={status.history} />}
          {status.beta_notice && <BetaSection />}
          <DeskSection status={status} />
        </>
      )}
    </>
  )
}

/** Both services side by side, always in the same order. */
function ServicesSection({ connections }: { connections: readonly Connection[] }) {
  const ordered = connections.toSorted((one, other) => apis.indexOf(one.api) - apis.indexOf(other.api))
  return (
    <section>
      <SectionHead title="Services" end="Measured on regular requests, no extra calls" />
      <div className={classes.services}>
        {ordered.map((connection) => (
          <ServicePanel key={connection.api} connection={connection} />
        ))}
      </div>
    </section>
  )
}

/** One service: how it is doing, how fast it answers, what its key was seen to be allowed. */
function ServicePanel({ connection }: { connection: Connection }) {
  const { api, state, base_url, day } = connection
  const heading = `service-${api}`
  return (
    <section className={classes.panel} aria-labelledby={heading}>
      <div className={classes.servicePanelHeader}>
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

/** The variables that connect a service (docs/operating.md). */
const serviceVariables: Readonly<Record<Api, readonly [address: string, key: string]>> = {
  program: ["PROGRAM_BASE_URL", "PROGRAM_API_KEY"],
  giftcard: ["GIFTCARD_BASE_URL", "GIFTCARD_API_KEY"],
}

/** The last 24 hours in half hours, oldest first; the sentence below says the same. */
function DayStrip({ slots }: { slots: readonly DaySlot[] }) {
  return (
    <div>
      <div className={classes.strip} aria-hidden>
        {slots.map((slot) => (
          <Tooltip key={slot.from} label={`${timeOfDay(slot.from)}: ${callWords([slot])}`}>
            <i data-look={slotLook(slot)} />
          </Tooltip>
        ))}
      </div>
      <p className={classes.dayStripText}>
        <span aria-hidden>24 h ago</span>
        <span>
          {callWords(slots)}
          <span className="visually-hidden"> in the last 24 hours</span>
        </span>
        <span aria-hidden>Now</span>
      </p>
    </div>
  )
}

/** Half an hour of calls to one service. */
type DaySlot = Connection["day"][number]

/** How half an hour went: `quiet` nothing was asked. */
type SlotLook = "quiet" | "fine" | "slow" | "trouble"

/** How half an hour went. Trouble beats slowness: an answer that never came is the worse news. */
export function slotLook({ calls, slow, trouble }: DaySlot): SlotLook {
  if (calls === 0) return "quiet"
  if (trouble > 0) return "trouble"
  return slow > 0 ? "slow" : "fine"
}

/** Calls, slow ones and troubled ones in words: `1,204 calls, 3 slow, 2 in trouble`. */
export function callWords(slots: readonly DaySlot[]): string {
  const sum = (of: "calls" | "slow" | "trouble") => slots.reduce((total, slot) => total + slot[of], 0)
  const calls = sum("calls")
  if (calls === 0) return "No calls"
  const parts = [`${formatCount(calls)} ${calls === 1 ? "call" : "calls"}`]
  if (sum("slow") > 0) parts.push(`${formatCount(sum("slow"))} slow`)
  if (sum("trouble") > 0) parts.push(`${formatCount(sum("trouble"))} with errors`)
  return parts.join(", ")
}

/** How soon the ledger shows our own awards: it decides how long a call without an answer is waited for. */
function HistorySection({ lag }: { lag: HistoryLag }) {
  return (
    <section>
      <SectionHead title="Ledger delay" end="From a sample of the last 2 hours" />
      <div className={classes.appFacts}>
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

const stores: Readonly<Record<AppStatus["store"], string>> = {
  sqlite: "SQLite, one file beside the server",
  postgres: "PostgreSQL, shared by all instances",
  memory: "In memory: lost when the page or the server stops",
}

/** The desk itself: version, where it keeps its own records, since when it runs. */
function DeskSection({ status }: { status: AppStatus }) {
  return (
    <section>
      <SectionHead title="This server" />
      <div className={classes.appFacts}>
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

/** What the program service says about its own members and rewards, and what that means here. */
function BetaSection() {
  return (
    <section>
      <SectionHead title="Members and rewards are in beta" />
      <div className={classes.prose}>
        <p>
          The program service marks these endpoints as unpublished during beta and not for client integrations
          yet. They work today but may change or stop without notice.
        </p>
        <p>
          Laurel reads them tolerantly, shows unknown values as sent, and lists every difference from the
          document above. Ask the program&rsquo;s support before you rely on them.
        </p>
      </div>
    </section>
  )
}

const missing: Readonly<Record<Api, string>> = {
  program: "Members, points and rewards aren’t available until it’s connected.",
  giftcard: "Nothing else is affected: members and points work without it.",
}

/** Why a service is not connected, and what connects it. It is never replaced by made-up data. */
function NotConnected({ api }: { api: Api }) {
  const [address, key] = serviceVariables[api]
  return (
    <div className="text-secondary">
      <p>The desk was started without an address for this service. {missing[api]}</p>
      <p>
        To connect it, an administrator sets <code className="l-mono">{address}</code> and{" "}
        <code className="l-mono">{key}</code> and starts the desk again.
      </p>
    </div>
  )
}
