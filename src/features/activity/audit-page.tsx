import { Box, Group, Stack } from "@mantine/core"
import { IconActivity, IconArrowRight, IconChevronRight, IconHistory } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, useMemo } from "react"
import { auditActions, type AuditEntry, auditOutcomes } from "../../../contract/audit.ts"
import { roleNames, roles } from "../../../contract/roles.ts"
import { actionLine, type AuditFilter, auditQuery, describeChange } from "../../api/audit.ts"
import { useCan, useSession } from "../../api/session.ts"
import { exact, momentsOf } from "../../lib/time.ts"
import { layoutOf, type ListColumn, type ListLayout } from "../../lists/list-columns.ts"
import { type ListFilter } from "../../lists/list-filters.tsx"
import { defined } from "../../lists/list-params.ts"
import { listQuery, useListState } from "../../lists/list-state.ts"
import links from "../../lists/list-table.module.css"
import { ExportButton, ResourceList } from "../../lists/resource-list.tsx"
import { type DataColumn, DataTable, DescriptionList } from "../../ui/data-table.tsx"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { StatusLabel, type StatusText } from "../../ui/status.tsx"
import { CopyText, RelativeTime } from "../../ui/values.tsx"
import classes from "./activity.module.css"
import { Person, usePersonFilter } from "./people.tsx"
import type { auditKinds, AuditSearch } from "./activity-search.ts"
import { buttonIcon, LinkButton } from "../../ui/button.tsx"

const AuditExport = lazy(async () => ({ default: (await import("./exports.tsx")).AuditExport }))

const route = getRouteApi("/_app/audit")

/** The audit log: actor, action, target, time and outcome. */
export function AuditPage() {
  return (
    <RequirePagePermission
      permission="audit.read"
      title="Audit log"
      noun="the audit log"
      help="Administrators see every entry; managers see their own and the program’s."
    >
      <AuditLog />
    </RequirePagePermission>
  )
}

/** The audit filter as sent to the server; days are in the program's zone. An unknown action is ignored. */
export function toAuditFilter(search: AuditSearch, timeZone: string): AuditFilter {
  const { outcome, actor, kind, id } = search
  const action =
    search.action !== undefined && Object.hasOwn(auditActions, search.action) ? search.action : undefined
  return defined({ action, outcome, actor, kind, id, ...momentsOf(search, timeZone) })
}

const scopes: Readonly<Record<string, string>> = {
  own: "Your own entries",
  program: "Your entries and the program’s",
}

const none: readonly AuditEntry[] = []

function AuditLog() {
  const search = route.useSearch()
  const state = useListState()
  const { permissions, program } = useSession()
  const filter = toAuditFilter(search, program.time_zone)
  const log = useQuery(auditQuery(filter, search.parts))
  const entries = log.data?.rows ?? none
  const columns = useMemo(() => auditColumns(program.currency), [program.currency])
  const mayReadJobs = useCan("jobs.read")
  const actors = entries.map(({ actor }) => actor)
  const person = usePersonFilter("actor", actors, search.actor, permissions["audit.read"] === "own")
  const filters: readonly ListFilter[] = [
    { type: "days", label: "Days", help: `Days in ${program.time_zone} time.` },
    ...person,
    ...auditFilters,
  ]
  return (
    <ResourceList
      title="Audit log"
      noun="entries"
      sum={scopes[permissions["audit.read"] ?? ""]}
      query={listQuery(log, state, { rows: entries, more: log.data?.more })}
      columns={columns}
      listKey="audit"
      filters={filters}
      actions={
        <>
          {mayReadJobs && (
            <LinkButton leftSection={<IconActivity {...buttonIcon} />} to="/jobs">
              Jobs
            </LinkButton>
          )}
          <ExportButton state={state} />
        </>
      }
      renderDetail={auditDetail}
      empty={{
        icon: IconHistory,
        title: "No activity yet",
        help: "Sign-ins and every change made in Laurel appear here.",
      }}
      noMatch={{ icon: IconHistory, help: "The log covers what was done in Laurel, not elsewhere." }}
      exportDialog={<AuditExport filter={filter} onClose={state.close} />}
    />
  )
}

const auditDetail = (entry: AuditEntry) => <AuditDetail entry={entry} />

const outcomes: Readonly<Record<AuditEntry["outcome"], StatusText>> = {
  done: { icon: "circle-check", word: "Done", tone: "success" },
  refused: { icon: "ban", word: "Refused", tone: "grey" },
  failed: { icon: "circle-x", word: "Not done", tone: "danger" },
  unknown: { icon: "help-circle", word: "Not confirmed", tone: "warning" },
}

const kinds: Readonly<Record<string, string>> = {
  member: "Member",
  order: "Order",
  card: "Gift card",
  job: "Job",
  month: "Month",
  export: "Export",
  user: "User",
  settings: "Settings",
  server: "Server",
} satisfies Record<(typeof auditKinds)[number], string>
const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const auditFilters: readonly ListFilter[] = [
  { type: "choice", key: "action", label: "Action", choices: choicesOf(auditActions) },
  {
    type: "choice",
    key: "outcome",
    label: "Outcome",
    choices: auditOutcomes.map((value) => ({ value, label: <StatusLabel status={outcomes[value]} /> })),
  },
  { type: "choice", key: "kind", label: "Kind", choices: choicesOf(kinds) },
  { type: "text", key: "id", label: "Record", seen: [], help: "The full id, as shown on the record’s page." },
]

function auditColumns(currency: string): readonly ListColumn<AuditEntry>[] {
  return [
    {
      id: "when",
      header: "When",
      size: 216,
      cell: ({ row }) => exact(row.original.at),
      meta: { className: "text-secondary l-num" },
    },
    { id: "who", header: "Who", size: 152, cell: ({ row }) => <Person name={row.original.actor.name} /> },
    {
      id: "what",
      header: "What",
      size: 228,
      cell: ({ row, table }) => (
        <>
          <button
            type="button"
            data-row-link
            aria-expanded={row.getIsExpanded()}
            className={`${links.link} ${classes.toggle}`}
            onClick={row.getToggleExpandedHandler()}
          >
            <IconChevronRight size={14} stroke={2} aria-hidden />
            <span>{actionLine(row.original, currency)}</span>
          </button>
          <Below entry={row.original} layout={layoutOf(table)} />
        </>
      ),
      meta: { minLayout: "phone" },
    },
    {
      id: "on",
      header: "Item",
      cell: ({ row }) => <Subject entry={row.original} />,
      meta: { minLayout: "tablet" },
    },
    {
      id: "outcome",
      header: "Outcome",
      size: 148,
      cell: ({ row: { original }, table }) => (
        <>
          <StatusLabel status={outcomes[original.outcome]} />
          {layoutOf(table) === "phone" && (
            <div className="caption">
              <RelativeTime at={original.at} />
            </div>
          )}
        </>
      ),
      meta: { minLayout: "phone" },
    },
  ]
}

/** Details without a column on touch layouts: the person, the time and, on a phone, the item. */
function Below({ entry: { on, actor, at }, layout }: { entry: AuditEntry; layout: ListLayout }) {
  if (layout === "wide") return null
  return (
    <Box pl={14} className="caption truncate">
      {layout === "phone" && on.label !== null && on.label !== actor.name && `${on.label}, by `}
      {actor.name}
      {layout === "tablet" && (
        <>
          , <RelativeTime at={at} />
        </>
      )}
    </Box>
  )
}

/** The target of an entry; a job or an existing member is a link. */
function Subject({ entry: { on, action, outcome } }: { entry: AuditEntry }) {
  const label = on.label ?? on.id
  const isDeleted = action === "member.delete" && outcome === "done"
  if (on.id === "" || isDeleted || (on.kind !== "job" && on.kind !== "member")) {
    return label === "" ? null : <span className="text-secondary">{label}</span>
  }
  const link = { className: "l-link", title: label, children: label }
  return on.kind === "job" ? (
    <Link to="/jobs/$jobId" params={{ jobId: on.id }} {...link} />
  ) : (
    <Link to="/members/$memberId" params={{ memberId: on.id }} {...link} />
  )
}

function AuditDetail({ entry }: { entry: AuditEntry }) {
  const { actor, on, note } = entry
  const { currency } = useSession().program
  const changes = entry.changes.map((change) => describeChange(change, currency))
  return (
    <Stack gap="md" maw={760}>
      {note !== null && <p>{note}</p>}
      {changes.length > 0 && (
        <DataTable label="What changed" rows={changes} keyOf={({ label }) => label} columns={changeColumns} />
      )}
      <DescriptionList
        items={[
          ["When", <span className="l-num">{exact(entry.at)}</span>],
          ["Who", `${actor.name}, ${roleName(actor.role)}`],
          [
            "Item",
            <>
              {(Object.hasOwn(kinds, on.kind) ? kinds[on.kind] : undefined) ?? on.kind}{" "}
              <Subject entry={entry} /> {on.id !== "" && <CopyText text={on.id} mono />}
            </>,
          ],
          ["Request", <CopyText text={entry.request_id} mono />],
          entry.source !== null && ["Source address", <CopyText text={entry.source} mono />],
        ]}
      />
    </Stack>
  )
}

const changeColumns: readonly DataColumn<ReturnType<typeof describeChange>>[] = [
  { label: "Field", width: 160, cell: ({ label }) => label },
  { label: "Before", cell: ({ from }) => <span className="text-muted">{from}</span> },
  {
    label: "After",
    cell: ({ to }) => (
      <Group gap="sm" wrap="nowrap">
        <IconArrowRight size={14} stroke={2} className="text-muted" aria-hidden />
        {to}
      </Group>
    ),
  },
]

function roleName(role: string): string {
  const known = roles.find((each) => each === role)
  return known === undefined ? role : roleNames[known].toLowerCase()
}
