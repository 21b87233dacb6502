import { Box, Group, SimpleGrid, Stack, Tooltip } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { type Api, apis } from "../../../contract/response.ts"
import {
  type AppStatus,
  type Connection,
  driftHandling,
  type DriftRow,
  type HistoryLag,
} from "../../../contract/status.ts"
import { statusQuery, useTestKey } from "../../api/status.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { duration, shortDay, timeOfDay } from "../../lib/time.ts"
import { Button } from "../../ui/button.tsx"
import { type DataColumn, DataTable, DescriptionList } from "../../ui/data-table.tsx"
import { useServerNow } from "../../ui/hooks.ts"
import { ErrorNotice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { AsOf, QueryState } from "../../ui/query-state.tsx"
import { Status, StatusLabel } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { FactsSection, serviceNames } from "./settings-layout.tsx"
import classes from "./settings.module.css"
import { BudgetSection } from "./status-budget.tsx"
import { CopySection } from "./status-copy.tsx"
import { ServersSection } from "./status-servers.tsx"

const route = getRouteApi("/_app/settings/status")

/** Status of Laurel and both services. */
export function StatusPage() {
  const { api } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(statusQuery)
  // Automatic refetches are not announced: with a busy team they would flicker.
  const [requested, setRequested] = useState(false)
  const refetch = () => {
    setRequested(true)
    return query.refetch().finally(() => setRequested(false))
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
            asOf={<AsOf at={at} refreshing={requested} onRefresh={() => void refetch()} />}
            onApi={(chosen) => void navigate({ search: { api: chosen }, replace: true, resetScroll: false })}
          />
          <Section title="Services" end="Measured on regular requests, no extra calls">
            <SimpleGrid
              cols={{ base: 1, md: 2 }}
              spacing={1}
              bg="var(--l-border)"
              className="card"
              style={{ overflow: "hidden" }}
            >
              {apis.flatMap((each) =>
                status.connections
                  .filter((connection) => connection.api === each)
                  .map((connection) => (
                    <ServicePanel
                      key={each}
                      connection={connection}
                      environment={status.environment}
                      drift={status.drift.filter((row) => row.api === each)}
                    />
                  )),
              )}
            </SimpleGrid>
          </Section>
          <CopySection copy={status.copy} />
          <DriftSection rows={status.drift} />
          {status.history !== null && (
            <FactsSection
              title="Ledger delay"
              end="From a sample of the last 2 hours"
              items={ledgerDelay(status.history)}
            />
          )}
          {status.beta_notice && <BetaSection />}
          <FactsSection
            title="This server"
            items={[
              ["Version", status.version],
              ["Environment", status.environment],
              ["Started", <RelativeTime at={status.started_at} />],
              ["Store", stores[status.store]],
            ]}
          />
          {status.servers !== null && <ServersSection servers={status.servers} />}
        </>
      )}
    </QueryState>
  )
}

function ServicePanel(props: {
  connection: Connection
  environment: AppStatus["environment"]
  drift: readonly DriftRow[]
}) {
  const { connection, environment, drift } = props
  const now = useServerNow("half-minute")
  const { api, state, base_url: address, half_within_ms: half, most_within_ms: most, seen } = connection
  const { last_trouble: trouble, key_end, rate_limit, rotation } = connection
  return (
    <Stack component="section" gap={12} px={20} py="md" bg="var(--l-bg)" aria-label={serviceNames[api]}>
      <div>
        <Group justify="space-between" gap="sm">
          <h3>{serviceNames[api]}</h3>
          <Status of="service" value={state} />
        </Group>
        {address !== null && (
          <Box component="p" mt={2} className="l-mono text-muted wrap-anywhere">
            {address.replace(/^https?:\/\//, "")}
          </Box>
        )}
      </div>
      {state === "not_connected" ? (
        <NotConnected api={api} />
      ) : (
        <>
          {(state === "not_answering" || state === "failing") && (
            <p className="l-meta text-secondary">
              Pages show the last loaded data with its age. Nothing is lost, and Laurel retries with the next
              page that needs it.
            </p>
          )}
          <DayStrip slots={connection.day} />
          <DescriptionList
            layout="inline"
            items={[
              ["Median response time", half === null ? noResponses : duration(half)],
              ["Last error", trouble ? lastError(trouble) : "None"],
              ["Environment", environment],
              key_end !== null && ["Key", keyWords(key_end, rotation)],
              [
                "Reads and writes",
                <Group gap="0 16px" justify="flex-end">
                  <SeenKey what="Read" seen={seen.read} />
                  <SeenKey what="Write" seen={seen.write} />
                </Group>,
              ],
              ["Rate limit", limitWords(api, rate_limit)],
              ["Differs from the documentation", driftSince(drift, now) ?? "No"],
            ]}
          />
          <details className="l-meta">
            <summary>Technical details</summary>
            <DescriptionList
              layout="inline"
              items={[["95th-percentile response time", most === null ? noResponses : duration(most)]]}
            />
          </details>
          {rotation?.in_use === "next" && (
            <p className="l-meta text-secondary">
              The service refused the key that ends in {rotation.other_end}, so Laurel uses the next one. Set{" "}
              <code className="l-mono">{servicePrefixes[api]}_API_KEY</code> to it before the next start.
            </p>
          )}
          {key_end !== null && (
            <ConnectionTest api={api} write={seen.write} requests={rotation?.in_use === "current" ? 2 : 1} />
          )}
        </>
      )}
    </Stack>
  )
}

/** Requests a minute of the plans, as docs/api/program.md has them. */
const plans: Readonly<Record<number, string>> = { 60: "Starter", 300: "Professional" }

function limitWords(api: Api, limit: number | null): string {
  if (limit === null) return "Unknown"
  const plan = api === "program" ? plans[limit] : undefined
  return `${formatCount(limit)} a minute${plan === undefined ? "" : `, as in the ${plan} plan`}`
}

const writeWords = {
  working: "Writing works too.",
  refused: "Writing was refused.",
  unseen: "Whether it may write shows with the first change that is sent.",
} as const

function keyWords(end: string, rotation: Connection["rotation"]): string {
  if (rotation === null) return `ends in ${end}`
  return rotation.in_use === "next"
    ? `ends in ${end}, the next key`
    : `ends in ${end}; the next one ends in ${rotation.other_end}`
}

const nextKeyWords = {
  working: " The next key works too.",
  refused: " The next key was refused.",
  unknown: " The next key could not be tested.",
} as const

/** Tests the connection by one read, and announces the result. */
function ConnectionTest(props: { api: Api; write: keyof typeof writeWords; requests: number }) {
  const { api, write, requests } = props
  const test = useTestKey()
  const { data } = test
  const result =
    data?.problem ?? `The key works and may read (${duration(data?.ms ?? 0)}). ${writeWords[write]}`
  const nextKey = data?.next_key == null ? "" : nextKeyWords[data.next_key]
  return (
    <Group gap="sm">
      <Button size="xs" loading={test.isPending} onClick={() => test.mutate(api)}>
        Test connection
      </Button>
      <output className="caption grow">
        {data === undefined ? `Uses ${counted(requests, "request")}.` : `${result}${nextKey}`}
      </output>
      <ErrorNotice error={test.error} what="Couldn’t test the connection." />
    </Group>
  )
}

const lastError = ({ at, what }: NonNullable<Connection["last_trouble"]>) => (
  <>
    <RelativeTime at={at} />, {what}
  </>
)
const noResponses = "None since Laurel started"

const seenStatus = {
  working: { icon: "circle-check", tone: "success", word: "working" },
  refused: { icon: "circle-x", tone: "danger", word: "refused" },
  unseen: { icon: "circle-dotted", tone: "grey", word: "not seen yet" },
} as const

/** Permissions of a key as observed: there is no endpoint for them, and writes are never used as a probe. */
function SeenKey({ what, seen }: { what: string; seen: keyof typeof seenStatus }) {
  const status = seenStatus[seen]
  return <StatusLabel status={{ ...status, word: `${what} ${status.word}` }} />
}

/** The last 24 hours in half hours, oldest first, with the same as text below. */
function DayStrip({ slots }: { slots: readonly DaySlot[] }) {
  return (
    <div>
      <Group align="flex-end" gap={2} h={20} wrap="nowrap" aria-hidden>
        {slots.map((slot) => (
          <Tooltip key={slot.from} label={`${timeOfDay(slot.from)}: ${callsText([slot])}`}>
            <Box flex={1} bdrs={1.5} {...slotStyles[slotStyle(slot)]} />
          </Tooltip>
        ))}
      </Group>
      <Group component="p" justify="space-between" gap="sm" mt="xs" className="caption l-num">
        <span aria-hidden>24 h ago</span>
        <span>
          {callsText(slots)}
          <span className="visually-hidden"> in the last 24 hours</span>
        </span>
        <span aria-hidden>Now</span>
      </Group>
    </div>
  )
}

/** Height and colour, never colour alone. */
const slotStyles = {
  quiet: { h: 6, bg: "var(--l-track)" },
  fine: { h: 14, bg: "var(--l-success-mark)" },
  slow: { h: 17, bg: "var(--l-warning-mark)" },
  trouble: { h: 20, bg: "var(--l-danger-mark)" },
} as const

type DaySlot = Connection["day"][number]

/** Style of half an hour: `quiet` without calls; errors have precedence over slowness. */
export function slotStyle({ calls, slow, trouble }: DaySlot): keyof typeof slotStyles {
  if (calls === 0) return "quiet"
  if (trouble > 0) return "trouble"
  return slow > 0 ? "slow" : "fine"
}

/** "1,204 calls, 3 slow, 2 with errors". */
export function callsText(slots: readonly DaySlot[]): string {
  const sum = (of: "calls" | "slow" | "trouble") => slots.reduce((total, slot) => total + slot[of], 0)
  if (sum("calls") === 0) return "No calls"
  const slow = sum("slow") > 0 && `${formatCount(sum("slow"))} slow`
  const trouble = sum("trouble") > 0 && `${formatCount(sum("trouble"))} with errors`
  return [counted(sum("calls"), "call"), slow, trouble].filter(Boolean).join(", ")
}

/** How soon the ledger shows our own awards: determines how long to wait for a call without a response. */
const ledgerDelay = ({ watched, usual_ms, largest_ms, missing }: HistoryLag) =>
  [
    ["Watched", formatCount(watched)],
    ["Usually shown within", usual_ms === null ? "None shown yet" : duration(usual_ms)],
    ["Longest", duration(largest_ms)],
    ["Not shown yet", formatCount(missing)],
  ] as const

const stores: Readonly<Record<AppStatus["store"], string>> = {
  sqlite: "SQLite, one file beside the server",
  postgres: "PostgreSQL, shared by all instances",
  memory: "In memory: lost when the page or the server stops",
}

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

/** What is missing without a service. */
const notConnected: Readonly<Record<Api, string>> = {
  program: "Members, points and rewards aren’t available until it’s connected.",
  giftcard: "Nothing else is affected: members and points work without it.",
}
/** Prefixes of the variables that connect a service (docs/operating.md). */
const servicePrefixes: Readonly<Record<Api, string>> = { program: "PROGRAM", giftcard: "GIFTCARD" }

function NotConnected({ api }: { api: Api }) {
  return (
    <div className="text-secondary">
      <p>Laurel was started without an address for this service. {notConnected[api]}</p>
      <p>
        To connect it, an administrator sets <code className="l-mono">{servicePrefixes[api]}_BASE_URL</code>{" "}
        and <code className="l-mono">{servicePrefixes[api]}_API_KEY</code> and starts Laurel again.
      </p>
    </div>
  )
}

/** "2 fields since 1 Nov"; undefined without any. */
function driftSince(rows: readonly DriftRow[], now: number): string | undefined {
  const since = rows.map(({ first_at }) => first_at).toSorted()[0]
  return since === undefined ? undefined : `${counted(rows.length, "field")} since ${shortDay(since, now)}`
}

/** Fields of the services' responses that differ from their documents, and how Laurel handles them. */
function DriftSection({ rows }: { rows: readonly DriftRow[] }) {
  const now = useServerNow("half-minute")
  return (
    <Section title="Responses that differ from the documentation" end={driftSince(rows, now)}>
      {rows.length === 0 ? (
        <p className="text-secondary">None so far. Every response is compared with the documentation.</p>
      ) : (
        <div className={classes.drift}>
          <DataTable
            label="Differences"
            columns={columns}
            rows={rows}
            keyOf={({ api, operation, field, kind }) => JSON.stringify([api, operation, field, kind])}
          />
        </div>
      )}
    </Section>
  )
}

const columns: readonly DataColumn<DriftRow>[] = [
  {
    label: "Where",
    hideBelow: "tablet",
    cell: ({ operation }) => <span className="l-mono">{operation}</span>,
  },
  {
    label: "Field",
    cell: ({ operation, field }) => (
      <>
        <span className="l-mono">{field}</span>
        <Box hiddenFrom="md" className="l-meta text-secondary">
          {operation}
        </Box>
      </>
    ),
  },
  { label: "Laurel", cell: ({ kind }) => handlingLabel(kind) },
  { label: "Seen", width: 64, end: true, cell: ({ seen }) => formatCount(seen) },
  {
    label: "Last",
    width: 112,
    end: true,
    hideBelow: "tablet",
    cell: ({ last_at }) => <RelativeTime at={last_at} className="text-muted" />,
  },
]

function handlingLabel(kind: DriftRow["kind"]) {
  const { tone, label } = driftHandling[kind]
  const icon = tone === "warning" ? "alert-triangle" : "circle-check"
  return <StatusLabel status={{ icon, tone, word: label }} />
}
