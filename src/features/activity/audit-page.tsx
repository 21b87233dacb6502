import { Button } from "@mantine/core"
import { IconActivity, IconDownload, IconHistory, IconLock } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useRef, useState } from "react"
import type { AuditEntry } from "../../../contract/audit.ts"
import { auditQuery } from "../../api/audit.ts"
import { useCan, useSession } from "../../api/session.ts"
import { actionName } from "../../lib/action-name.ts"
import { formatCount } from "../../lib/format.ts"
import { FilterRow, ListFoot, ListNotes, ListPage } from "../../lists/list-page.tsx"
import { ListTableView } from "../../lists/list-table.tsx"
import { useLate, useListLayout, useListTable } from "../../lists/list-columns.ts"
import { useListKeys } from "../../lists/list-keys.ts"
import { AsOf, EmptyState } from "../../ui/query-state.tsx"
import { RequirePermission } from "../../ui/require-permission.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { auditColumns } from "./audit-columns.tsx"
import { AuditDetail } from "./audit-detail.tsx"
import { AuditFilters } from "./audit-filters.tsx"
import { auditFilterOf } from "./audit-filter.ts"
import { mostParts, withFilter, type AuditFilterChange } from "./audit-search.ts"

const AuditExport = lazy(async () => ({ default: (await import("./results/audit-export.tsx")).AuditExport }))

const route = getRouteApi("/_desk/audit")
const none: readonly AuditEntry[] = []
const idOf = (entry: AuditEntry) => entry.id
const nameOf = (entry: AuditEntry) => actionName(entry.action)

/** What the role sees of the log, in a few words; the server decides. */
const scopes: Readonly<Record<string, string>> = {
  own: "Your own entries",
  program: "Your entries and the program’s",
}

/** Who did what on whom, when, and how it ended. */
export function AuditPage() {
  if (useCan("audit.read")) return <AuditLog />
  return (
    <ListPage>
      <PageHeader title="Audit log" />
      <EmptyState
        icon={IconLock}
        title="Your role can’t view the audit log"
        help="Administrators see every entry; managers see their own and the program’s. Ask an administrator to change your role."
      />
    </ListPage>
  )
}

function AuditLog() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { permissions, program } = useSession()
  const filter = auditFilterOf(search, program.time_zone)
  const log = useQuery(auditQuery(filter, search.parts))
  const entries = log.data?.entries ?? none
  const open = useOpenEntries()
  const columns = useMemo(() => auditColumns(open), [open])
  const layout = useListLayout()
  const table = useListTable({ columns, rows: entries, idOf, layout, choice: {} })
  const root = useRef<HTMLDivElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useListKeys(root, nothing)
  const late = useLate(log.isPending)

  const detailOf = (entry: AuditEntry) => (open.ids.has(entry.id) ? <AuditDetail entry={entry} /> : null)
  const setFilter = (change: AuditFilterChange) =>
    void navigate({ search: (before) => withFilter(before, change) })
  const clear = () => void navigate({ search: {} })
  const filtered = Object.keys(filter).length > 0
  return (
    <ListPage ref={root}>
      <PageHeader
        title="Audit log"
        sum={scopes[permissions["audit.read"] ?? ""]}
        actions={
          <AuditActions onExport={() => void navigate({ search: (now) => ({ ...now, open: "export" }) })} />
        }
      />
      <FilterRow onClear={filtered ? clear : undefined}>
        <AuditFilters search={search} entries={entries} onChange={setFilter} />
      </FilterRow>
      <ListNotes>
        {log.error !== null && (
          <ErrorNotice
            error={log.error}
            what={log.data === undefined ? "Couldn’t load the log." : "Couldn’t refresh the log."}
            onRetry={() => void log.refetch()}
          />
        )}
      </ListNotes>
      <ListTableView
        table={table}
        label="Audit log"
        layout={layout}
        nameOf={nameOf}
        waiting={late ? "late" : log.isPending || log.isPlaceholderData ? "yes" : "no"}
        scroller={scroller}
        onScroller={setScroller}
        raised={false}
        detailOf={detailOf}
        empty={log.data !== undefined ? <NoEntries onClear={filtered ? clear : undefined} /> : undefined}
      />
      <ListFoot
        count={
          log.data === undefined ? null : (
            <>
              <b>{formatCount(entries.length)}</b> {log.data.more ? "newest" : "total"}
            </>
          )
        }
        asOf={<AsOf at={log.data?.at} refreshing={log.isFetching} onRefresh={() => void log.refetch()} />}
      >
        {log.data?.more === true && search.parts < mostParts && (
          <Button
            size="xs"
            loading={log.isPlaceholderData}
            onClick={() =>
              void navigate({
                search: (before) => ({ ...before, parts: before.parts + 1 }),
                replace: true,
                resetScroll: false,
              })
            }
          >
            Load older
          </Button>
        )}
        {log.data?.more === true && search.parts >= mostParts && (
          <span className="text-muted">Choose an earlier period to see older entries</span>
        )}
      </ListFoot>
      {search.open === "export" && (
        <Suspense>
          <AuditExport
            filter={filter}
            onClose={() => void navigate({ search: (now) => ({ ...now, open: undefined }) })}
          />
        </Suspense>
      )}
    </ListPage>
  )
}

/** The jobs behind many of the entries, and the log as a file. */
function AuditActions({ onExport }: { onExport: () => void }) {
  return (
    <>
      {useCan("jobs.read") && (
        <Button
          leftSection={<IconActivity size={16} stroke={1.75} aria-hidden />}
          renderRoot={(props) => <Link {...props} to="/jobs" />}
        >
          Jobs
        </Button>
      )}
      <RequirePermission permission="exports.people">
        <Button leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />} onClick={onExport}>
          Export
        </Button>
      </RequirePermission>
    </>
  )
}

function NoEntries({ onClear }: { onClear: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={IconHistory}
      title={onClear === undefined ? "No activity yet" : "No entries match these filters"}
      help={
        onClear === undefined
          ? "Sign-ins and every change made in Laurel appear here."
          : "The log covers what was done in Laurel, not elsewhere."
      }
      actions={onClear && <Button onClick={onClear}>Clear the filters</Button>}
    />
  )
}

function useOpenEntries() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return useMemo(
    () => ({
      ids,
      toggle: (id: string) =>
        setIds(
          (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
        ),
    }),
    [ids],
  )
}

function nothing() {}
