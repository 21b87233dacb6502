import { useQueryClient } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useRef, useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import { membersInCache } from "../../../api/members.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { formatCount } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import { useColumnChoice, useListLayout, useListTable } from "../../../lists/list-columns.ts"
import { ColumnsButton } from "../../../lists/filters.tsx"
import { FilterRow, ListPage } from "../../../lists/list-page.tsx"
import { ListTableView } from "../../../lists/list-table.tsx"
import { useListKeys } from "../../../lists/list-keys.ts"
import { useSelection } from "../../../lists/selection.tsx"
import { PageHeader } from "../../../ui/page-header.tsx"
import { ExportButton } from "../export/export-button.tsx"
import { FileButton } from "./file-button.tsx"
import { LoadAllOffer } from "./load-all.tsx"
import { memberColumns } from "./member-columns.tsx"
import { MemberFilters } from "./member-filters.tsx"
import { MemberSelection } from "./member-selection.tsx"
import { MembersEmpty } from "./members-empty.tsx"
import { MembersFoot } from "./members-foot.tsx"
import { MembersNotes } from "./members-notes.tsx"
import { isFiltered } from "./members-search.ts"
import { NewMemberButton } from "./new-member-button.tsx"
import { observedIn } from "./observed.ts"
import { useMemberList } from "./use-member-list.ts"
import { useWarmMemberPage } from "./use-warm-member-page.ts"

const VirtualBody = lazy(async () => ({
  default: (await import("../../../lists/virtual-body.tsx")).VirtualBody<Member>,
}))

const ExportMembers = lazy(async () => ({
  default: (await import("../export/export-members.tsx")).ExportMembers,
}))

const idOf = (member: Member) => member.id
const none: readonly Member[] = []

/** The members list, with what opens above it. */
export function MembersPage() {
  const [busy, setBusy] = useState(false)
  const list = useMemberList(busy)
  const client = useQueryClient()
  const { role } = useSession().user
  const mayEdit = useCan("members.edit")
  const mayExport = useCan("exports.people")
  const root = useRef<HTMLDivElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const layout = useListLayout()
  const [choice, choose] = useColumnChoice("members")

  const { rows } = list
  // The cache holds these rows and those of other pages; it has changed when they have.
  const observed = useMemo(
    () => (rows.length === 0 ? observedIn([]) : observedIn(membersInCache(client))),
    [rows, client],
  )
  const columns = useMemo(() => memberColumns(role, observed.metadataKeys), [role, observed])
  // What stays on the screen while another question is asked cannot be picked for it.
  const selection = useSelection(list.waiting === "no" ? rows : none, idOf, JSON.stringify(list.filter))
  const table = useListTable({
    columns,
    rows,
    idOf,
    layout,
    choice,
    sorting: list.complete ? { sort: list.search.sort, onSort: (sort) => list.set({ sort }) } : undefined,
    selection: mayEdit ? selection : undefined,
  })
  useListKeys(root, selection.clear)
  useWarmMemberPage(scroller)

  const filtered = isFiltered(list.filter)
  const clear = () => list.setFilter({ search: undefined, status: undefined, tier: undefined })
  return (
    <ListPage ref={root}>
      <PageHeader
        title="Members"
        sum={
          list.total === undefined ? undefined : `${formatCount(list.total)} ${filtered ? "match" : "total"}`
        }
        actions={
          <>
            <FileButton />
            <ExportButton onClick={() => list.set({ open: "export" })} />
            <NewMemberButton />
          </>
        }
      />
      <FilterRow
        onClear={filtered ? clear : undefined}
        end={
          <>
            {!list.complete && list.total !== undefined && list.waiting === "no" && (
              <LoadAllOffer total={list.total} loading={list.loading} />
            )}
            {layout === "wide" && <ColumnsButton columns={columns} choice={choice} onChoose={choose} />}
          </>
        }
      >
        <MemberFilters list={list} tiers={observed.tiers} />
      </FilterRow>
      <MembersNotes list={list} />
      <ListTableView
        table={table}
        label="Members"
        layout={layout}
        nameOf={fullName}
        waiting={list.waiting}
        scroller={scroller}
        onScroller={setScroller}
        raised={selection.rows.length > 0}
        empty={list.page.data !== undefined || list.whole !== null ? <MembersEmpty list={list} /> : undefined}
        body={
          list.whole === null ? undefined : (
            <Suspense>
              <VirtualBody table={table} nameOf={fullName} scroller={scroller} />
            </Suspense>
          )
        }
      />
      {selection.rows.length > 0 && <MemberSelection selection={selection} onBusy={setBusy} />}
      <MembersFoot list={list} />
      {list.search.open === "export" && mayExport && (
        <Suspense>
          <ExportMembers
            filter={list.filter}
            total={list.total}
            onClose={() => list.set({ open: undefined })}
          />
        </Suspense>
      )}
      <Outlet />
    </ListPage>
  )
}
