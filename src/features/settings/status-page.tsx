import { Box, Group, SimpleGrid, Stack, Tooltip } from "@mantine/core"
import { IconCircleCheck, IconCircleDotted, IconCircleX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { type Api, apis, type Connection, type AppStatus, type HistoryLag } from "../../../contract/status.ts"
import { statusQuery } from "../../api/status.ts"
import { serviceNames } from "./settings-parts.tsx"
import { BudgetSection } from "./status-budget.tsx"
import { DriftSection } from "./status-drift.tsx"
import { counted, formatCount } from "../../lib/format.ts"
import { duration, timeOfDay } from "../../lib/time.ts"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { Section } from "../../ui/page-header.tsx"
import { AsOf, QueryState } from "../../ui/query-state.tsx"
import { Status, StatusLabel } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import classes from "./settings.module.css"

const route = getRouteApi("/_app/settings/status")

/** The budget fills up again without any event: the page follows it, in ms. */
const followEvery = 10_000

/** How Laurel and both services are doing. */
export function StatusPage() {
  return (
    <RequirePagePermission permission="status.read" noun="the status">
      <LiveStatus />
    </RequirePagePermission>
  )
}

function LiveStatus() {
  const { api } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({ ...statusQuery, refetchInterval: followEvery })
  // What is re-read by itself says nothing while it runs; a busy team would see it flicker.
  const [asked, setAsked] = useState(false)
  const refetch = () => {
    setAsked(true)
    return query.refetch().finally(() => setAsked(false))
  }
  return (
    <QueryState
      query={{ data: query.data, error: query.error, refetch }}
      noun="status"
      rows={10}
      columns={[220, 320, 120]}
    >
      {({ data: status, at }) => (
        <>
          <BudgetSection
            budgets={status.budgets}
            api={api}
            asOf={<AsOf at={at} refreshing={asked} onRefresh={() => void refetch()} />}
            onApi={(chosen) => void navigate({ search: { api: chosen }, replace: true, resetScroll: false })}
          />
          <ServicesSection connections={status.connections} />
          <DriftSection rows={status.drift} />
          {status.history !== null && <HistorySection lag={status.history} />}
          {status.beta_notice && <BetaSection />}
          <ServerSection status={status} />
        </>
      )}
    </QueryState>
  )
}

function ServicesSection({ connections }: { connections: readonly Connection[] }) {
  const ordered = connections.toSorted((one, other) => apis.indexOf(one.api) - apis.indexOf(other.api))
  return (
    <Section title="Services" end="Measured on regular requests, no extra calls">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={0} className={`card ${classes.services}`}>
        {ordered.map((connection) => (
          <ServicePanel key={connection.api} connection={connection} />
        ))}
      </SimpleGrid>
    </Section>
  )
}

function ServicePanel({ connection }: { connection: Connection }) {
  const {
    api,
    state,
    base_url,
    day,
    half_within_ms,
    most_within_ms,
    last_trouble,
    key_end,
    rate_limit,
    seen,
  } = connection
  return (
    <Stack component="section" gap={12} px={20} py="md" aria-label={serviceNames[api]}>
      <div>
        <Group justify="space-between" gap="sm">
          <h3>{serviceNames[api]}</h3>
          <Status of="service" value={state} />
        </Group>
        {base_url !== null && (
          <p className={`l-mono text-muted ${classes.address}`}>{base_url.replace(/^https?:\/\//, "")}</p>
        )}
      </div>
      {state === "not_connected" ? (
        <NotConnected api={api} />
      ) : (
        <>
          {state === "not_answering" && (
            <p className="l-meta text-secondary">
              Pages show the last loaded data with its age. Nothing is lost, and Laurel retries with the next
              page that needs it.
            </p>
          )}
          <DayStrip slots={day} />
          <DescriptionList
            layout="beside"
            items={[
              ["Median response time", within(half_within_ms)],
              ["95th-percentile response time", within(most_within_ms)],
              [
                "Last error",
                last_trouble === null ? (
                  "None"
                ) : (
                  <>
                    <RelativeTime at={last_trouble.at} />, {last_trouble.what}
                  </>
                ),
              ],
              key_end !== null && ["Key", `ends in ${key_end}`],
              [
                "Reads and writes",
                <Group gap="0 16px" justify="flex-end">
                  <SeenKey what="Read" seen={seen.read} />
                  <SeenKey what="Write" seen={seen.write} />
                </Group>,
              ],
              ["Rate limit", rate_limit === null ? "Unknown" : `${formatCount(rate_limit)} a minute`],
            ]}
          />
        </>
      )}
    </Stack>
  )
}

function within(ms: number | null): string {
  return ms === null ? "No responses yet" : duration(ms)
}

const seenStatus = {
  working: { icon: IconCircleCheck, tone: "success", word: "working" },
  refused: { icon: IconCircleX, tone: "danger", word: "refused" },
  unseen: { icon: IconCircleDotted, tone: "grey", word: "not seen yet" },
} as const

/** What a key was seen to be allowed. A key cannot be asked, and nothing is ever probed by a write. */
function SeenKey({ what, seen }: { what: string; seen: keyof typeof seenStatus }) {
  const status = seenStatus[seen]
  return <StatusLabel status={{ ...status, word: `${what} ${status.word}` }} />
}

/** The last 24 hours in half hours, oldest first; the sentence below says the same. */
function DayStrip({ slots }: { slots: readonly DaySlot[] }) {
  return (
    <div>
      <Group align="flex-end" gap={2} h={20} className={classes.strip} aria-hidden>
        {slots.map((slot) => (
          <Tooltip key={slot.from} label={`${timeOfDay(slot.from)}: ${callWords([slot])}`}>
            <i data-look={slotLook(slot)} />
          </Tooltip>
        ))}
      </Group>
      <Group component="p" justify="space-between" gap="sm" mt="xs" className="caption l-num">
        <span aria-hidden>24 h ago</span>
        <span>
          {callWords(slots)}
          <span className="visually-hidden"> in the last 24 hours</span>
        </span>
        <span aria-hidden>Now</span>
      </Group>
    </div>
  )
}

type DaySlot = Connection["day"][number]

/** How half an hour went: `quiet` without calls; trouble beats slowness, because a missing response is worse. */
export function slotLook({ calls, slow, trouble }: DaySlot): "quiet" | "fine" | "slow" | "trouble" {
  if (calls === 0) return "quiet"
  if (trouble > 0) return "trouble"
  return slow > 0 ? "slow" : "fine"
}

/** Calls, slow ones and troubled ones in words: `1,204 calls, 3 slow, 2 with errors`. */
export function callWords(slots: readonly DaySlot[]): string {
  const sum = (of: "calls" | "slow" | "trouble") => slots.reduce((total, slot) => total + slot[of], 0)
  if (sum("calls") === 0) return "No calls"
  const parts = [counted(sum("calls"), "call")]
  if (sum("slow") > 0) parts.push(`${formatCount(sum("slow"))} slow`)
  if (sum("trouble") > 0) parts.push(`${formatCount(sum("trouble"))} with errors`)
  return parts.join(", ")
}

/** How soon the ledger shows our own awards: it decides how long a call without a response is waited for. */
function HistorySection({ lag }: { lag: HistoryLag }) {
  return (
    <Section title="Ledger delay" end="From a sample of the last 2 hours">
      <Box maw={480}>
        <DescriptionList
          layout="beside"
          items={[
            ["Watched", formatCount(lag.watched)],
            ["Usually shown within", lag.usual_ms === null ? "None shown yet" : duration(lag.usual_ms)],
            ["Longest", duration(lag.largest_ms)],
            ["Not shown yet", formatCount(lag.missing)],
          ]}
        />
      </Box>
    </Section>
  )
}

const stores: Readonly<Record<AppStatus["store"], string>> = {
  sqlite: "SQLite, one file beside the server",
  postgres: "PostgreSQL, shared by all instances",
  memory: "In memory: lost when the page or the server stops",
}

function ServerSection({ status }: { status: AppStatus }) {
  return (
    <Section title="This server">
      <Box maw={480}>
        <DescriptionList
          layout="beside"
          items={[
            ["Version", status.version],
            ["Environment", status.environment],
            ["Started", <RelativeTime at={status.started_at} />],
            ["Store", stores[status.store]],
          ]}
        />
      </Box>
    </Section>
  )
}

/** What the program service says about its own members and rewards, and what that means here. */
function BetaSection() {
  return (
    <Section title="Members and rewards are in beta">
      <Stack gap="sm" maw={640} className="text-secondary">
        <p>
          The program service marks these endpoints as unpublished during beta and not for client integrations
          yet. They work today but may change or stop without notice.
        </p>
        <p>
          Laurel reads them tolerantly, shows unknown values as sent, and lists every difference from the
          document above. Ask the program&rsquo;s support before you rely on them.
        </p>
      </Stack>
    </Section>
  )
}

/** What is missing without a service, and the variables that connect it (docs/operating.md). */
const notConnected: Readonly<Record<Api, { missing: string; address: string; key: string }>> = {
  program: {
    missing: "Members, points and rewards aren’t available until it’s connected.",
    address: "PROGRAM_BASE_URL",
    key: "PROGRAM_API_KEY",
  },
  giftcard: {
    missing: "Nothing else is affected: members and points work without it.",
    address: "GIFTCARD_BASE_URL",
    key: "GIFTCARD_API_KEY",
  },
}

function NotConnected({ api }: { api: Api }) {
  const { missing, address, key } = notConnected[api]
  return (
    <div className="text-secondary">
      <p>The desk was started without an address for this service. {missing}</p>
      <p>
        To connect it, an administrator sets <code className="l-mono">{address}</code> and{" "}
        <code className="l-mono">{key}</code> and starts the desk again.
      </p>
    </div>
  )
}
