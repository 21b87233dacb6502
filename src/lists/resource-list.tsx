import { Stack } from "@mantine/core"
import { Outlet } from "@tanstack/react-router"
import { functionalUpdate, useTable } from "@tanstack/react-table"
import {
  type ComponentProps,
  lazy,
  type RefObject,
  Suspense,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react"
import type { ColumnLayout, ListView, ViewBody, ViewedList } from "../../contract/views.ts"
import { requestsFor } from "../api/paging.ts"
import { useCan, useSession } from "../api/session.ts"
import { counted, formatCount } from "../lib/format.ts"
import { sameValue } from "../lib/same-value.ts"
import { useLate, useStable } from "../ui/hooks.ts"
import { useListKeys } from "../ui/list-keys.ts"
import { Notice } from "../ui/notice.tsx"
import { PageHeader } from "../ui/page-header.tsx"
import { EmptyState, QueryNotices } from "../ui/query-state.tsx"
import { RequirePermission } from "./require-permission.tsx"
import { IconBookmark, IconColumns3, IconFileOff, IconSearchOff } from "@tabler/icons-react"
import { filtersInUse, ListFilters, withoutFilters, type ListFilter } from "./list-filters.tsx"
import {
  byValue,
  type ColumnChange,
  columnState,
  type ListColumn,
  type ListFeatures,
  listFeatures,
  type ListLayout,
  moveColumn,
  sortingOf,
  useColumnLayout,
  useListLayout,
  useRoom,
} from "./list-columns.ts"
import { noView } from "./list-params.ts"
import { ArrivalNote, FilterRow, type FooterParts, ListFooter, ListPage } from "./list-page.tsx"
import type { ListQuery, ListState } from "./list-state.ts"
import { ListTableView, pickWidth, plainText, type Waiting } from "./list-table.tsx"
import { type EveryMatch, SelectionBar, useSelection, type Selection } from "./selection.tsx"
import { Button, buttonIcon } from "../ui/button.tsx"
import { Popover } from "../ui/popover.tsx"

const ColumnsChooser = lazy(async () => ({ default: (await import("./filter-panels.tsx")).ColumnsChooser }))
const ViewsMenu = lazy(async () => ({ default: (await import("./views-menu.tsx")).ViewsMenu }))

type Empty = ComponentProps<typeof EmptyState>

interface ResourceListProps<T extends object> {
  /** The page's `h1`; absent for a list within another page, which then needs a `label`. */
  title?: string
  path?: NonNullable<ComponentProps<typeof PageHeader>["path"]>
  label?: string
  /** Plural of the records; the label in lower case by default. */
  noun?: string
  query: ListQuery<T>
  /** Stable: at module scope or memoised. */
  columns: readonly ListColumn<T>[]
  /** The id of a row; its `id` by default. */
  rowId?: (row: T) => string
  /** The name of a row that can be selected; its id by default. */
  rowName?: (row: T) => string
  /** Enables arranging columns and saved views, stored under this name. */
  listKey?: ViewedList
  /** What can be done with everything in a saved view. */
  viewActions?: ((view: ListView) => ReactNode) | undefined
  filters?: readonly ListFilter[]
  filterEnd?: ReactNode
  tabs?: ReactNode
  /** The search parameter of the tabs; changing it counts as changing a filter. */
  tabKey?: string
  /** Next to the title instead of the total. */
  sum?: ReactNode
  actions?: ReactNode
  notes?: ReactNode
  selectionActions?: ((selection: Selection<T>) => ReactNode) | undefined
  selectionSum?: (rows: readonly T[]) => ReactNode
  /** Enables selecting matches of other pages. */
  selectAll?: EveryMatch<T> | undefined
  /** An action on a row, shown while it is pointed at. */
  rowAction?: ((row: T) => ReactNode) | undefined
  /** The details of a row, shown below it while it is expanded. */
  renderDetail?: (row: T) => ReactNode
  /** Renders the rows as cards instead of a table, without selection and sorting. */
  renderRows?: ((waiting: Waiting) => ReactNode) | undefined
  /** Replaces the rows when there are none at all, and when none matches the filters. */
  empty?: Empty | undefined
  noMatch?: Partial<Empty> | undefined
  footer?: FooterParts | undefined
  /** The export dialog, rendered while the URL has `open=export` (`<ExportButton>`). */
  exportDialog?: ReactNode
  children?: ReactNode
}

/**
 * A list page, or a list within a page: header, filters, notices, rows, selection, footer. Its state is in the URL; it
 * handles layout, keys, paging, sorting, selection, loading, staleness, errors and export.
 */
export function ResourceList<T extends object>(props: ResourceListProps<T>) {
  const root = useRef<HTMLDivElement>(null)
  const list = useList(props, root)
  const { query, noun, selection } = list
  const mayExport = useCan("exports.people")
  const isPage = props.title !== undefined
  return (
    <ListPage ref={root}>
      {isPage && <Header {...props} list={list} />}
      {props.tabs}
      <Filters {...props} list={list} />
      <Notes {...props} list={list} />
      <Rows {...props} list={list} />
      {selection.rows.length > 0 && (
        <SelectionBar
          count={selection.rows.length}
          sum={props.selectionSum?.(selection.rows)}
          onClear={list.clearSelection}
          every={props.selectAll}
          onEvery={list.selectEvery}
        >
          {props.selectionActions?.(selection)}
        </SelectionBar>
      )}
      <ListFooter query={query} noun={noun} {...props.footer} />
      {query.state.open === "export" && mayExport && <Suspense>{props.exportDialog}</Suspense>}
      {props.children}
      {isPage && <Outlet />}
    </ListPage>
  )
}

type List<T extends object> = ReturnType<typeof useList<T>>
type PartProps<T extends object> = ResourceListProps<T> & { list: List<T> }

function useList<T extends object>(props: ResourceListProps<T>, root: RefObject<HTMLDivElement | null>) {
  const { query, filters = nothing, tabKey } = props
  const { values } = query.state
  const label = props.label ?? props.title ?? ""
  const noun = props.noun ?? label.toLowerCase()
  const layout = useListLayout()
  const used = filtersInUse(filters, values)
  // Rows of the previous filter stay visible while the next one loads; they can be neither selected nor counted for it.
  const filterKey = JSON.stringify([used, tabKey && values[tabKey]])
  const isAnswered = useIsAnswered(filterKey, query.waiting)
  const views = useViews(props)
  const { table, selection } = useListTable({ ...props, ...views, layout, root, filterKey })
  const clearSelection = () => {
    moveFocusOutOfBar(root.current)
    selection.clear()
  }
  const selectEvery = () => {
    moveFocusOutOfBar(root.current)
    // The page shows why it failed.
    props.selectAll?.load().then(selection.select, () => undefined)
  }
  useListKeys(root, clearSelection)
  const late = useLate(query.pending)
  const waiting: Waiting = late ? "late" : query.waiting ? "yes" : "no"
  const filtered = Object.keys(used).length > 0
  return {
    ...views,
    query,
    label,
    noun,
    layout,
    filtered,
    isAnswered,
    /** Columns can be chosen, moved and resized. */
    arrangeable: layout === "wide" && views.views !== undefined && props.renderRows === undefined,
    table,
    selection,
    waiting,
    clearSelection,
    selectEvery,
  }
}

function Header<T extends object>({ title = "", path = nothing, sum, actions, list }: PartProps<T>) {
  const { query, noun, filtered, isAnswered } = list
  const known = isAnswered || query.total === undefined
  const text = known ? (sum ?? totalText(query, noun, filtered)) : "Searching…"
  return <PageHeader title={title} path={path} sum={text} actions={actions} />
}

function Filters<T extends object>({ filters = nothing, filterEnd, viewActions, list }: PartProps<T>) {
  const { query, noun, filtered, views, table, laidOut, arrange, arrangeable } = list
  if (filters.length === 0 && filterEnd === undefined && views === undefined) return null
  const { state } = query
  return (
    <FilterRow
      onClear={filtered ? () => state.setFilter(withoutFilters(filters)) : undefined}
      end={
        <>
          {filterEnd}
          {views !== undefined && (
            <Popover
              label="Views"
              align="end"
              button={
                <Button
                  flex="0 1 auto"
                  miw={0}
                  maw={240}
                  leftSection={<IconBookmark {...buttonIcon} />}
                  {...(views.current && {
                    "aria-label": `View: ${views.current.name}${views.changed ? ", changed" : ""}`,
                  })}
                >
                  <span className="truncate">{views.current?.name ?? "Views"}</span>
                  {views.changed && <span className="text-muted">changed</span>}
                </Button>
              }
            >
              {(close) => <ViewsMenu noun={noun} {...views} viewActions={viewActions} close={close} />}
            </Popover>
          )}
          {arrangeable && (
            <Popover
              label="Columns"
              align="end"
              button={<Button leftSection={<IconColumns3 {...buttonIcon} />}>Columns</Button>}
            >
              {() => (
                <ColumnsChooser
                  columns={table.getAllLeafColumns()}
                  laidOut={laidOut}
                  onArrange={arrange}
                  onMove={(id, target) => moveColumn(table, id, target)}
                />
              )}
            </Popover>
          )}
        </>
      }
    >
      <ListFilters filters={filters} state={state} />
    </FilterRow>
  )
}

function Notes<T extends object>({ title, notes, list }: PartProps<T>) {
  const { query, noun, filtered, isViewMissing } = list
  return (
    <Stack gap={20} px="gutter" pb={12} className="hide-empty">
      {title !== undefined && <ArrivalNote />}
      {isViewMissing && (
        <Notice
          tone="info"
          title="This view was deleted, or isn’t shared with you"
          onClose={() => query.state.set({ saved: noView }, { replace: true })}
        >
          {filtered ? "The filters in its link are in use." : `All ${noun} are shown.`}
        </Notice>
      )}
      <QueryNotices view={query} noun={noun} subject="The list" />
      {notes}
    </Stack>
  )
}

function Rows<T extends object>(props: PartProps<T>) {
  const { renderRows, selectionActions, list } = props
  const { query, label, layout, table, selection, arrangeable, waiting } = list
  // Only a fresh result proves that there are no rows.
  const isKnown = query.at !== undefined && query.error === null && !query.stale
  const empty = isKnown ? <Nothing {...props} /> : undefined
  if (renderRows !== undefined) {
    return (
      <div className="grow scroll" data-scroll-restoration-id="rows">
        {renderRows(waiting)}
        {waiting === "no" && query.rows.length === 0 && empty}
      </div>
    )
  }
  return (
    <ListTableView
      {...{ table, label, layout, waiting, arrangeable, empty }}
      rowName={selectionActions && (props.rowName ?? props.rowId ?? ownId)}
      raised={selection.rows.length > 0}
      rowAction={props.rowAction}
      renderDetail={props.renderDetail}
    />
  )
}

function ownId(row: object): string {
  return "id" in row ? String(row.id) : ""
}

/** The selection bar is about to be removed, and the focus in it with it. */
function moveFocusOutOfBar(list: HTMLElement | null): void {
  if (list?.querySelector(":scope > section:focus-within") == null) return
  list.querySelector<HTMLElement>("th input[type=checkbox]")?.focus({ preventScroll: true })
}

/** The table of a list: sorting is in the URL, the column layout in the browser or the view, the rest in memory. */
function useListTable<T extends object>(
  props: ResourceListProps<T> & {
    layout: ListLayout
    laidOut: ColumnLayout
    arrange: (change: ColumnChange) => void
    root: RefObject<HTMLDivElement | null>
    filterKey: string
  },
) {
  const { query, columns, rowId = ownId, layout, laidOut, arrange, filterKey } = props
  const { state, rows } = query
  const known = query.waiting ? nothing : rows
  const { selection, rowSelection, onRowSelectionChange } = useSelection(known, rowId, filterKey)
  const room = useRoom(props.root, props.selectionActions === undefined ? 0 : pickWidth)
  const ofColumns = useStable(
    useMemo(() => columnState(columns, laidOut, layout, room), [columns, laidOut, layout, room]),
  )
  const { copied = false } = query
  const canSort = copied || (query.sortable ?? query.complete)
  // While other rows are awaited, the shown ones keep their order.
  const sorts = canSort || query.waiting
  const sorting = useMemo(() => (sorts ? sortingOf(columns, state.sort) : []), [sorts, columns, state.sort])
  const table = useTable<ListFeatures, T>({
    features: listFeatures,
    columns,
    data: rows,
    getRowId: rowId,
    defaultColumn,
    state: { ...ofColumns, sorting, rowSelection },
    meta: { layout },
    enableSorting: canSort,
    manualSorting: copied,
    enableMultiSort: false,
    sortDescFirst: false,
    onSortingChange: (updater) => {
      const [by] = functionalUpdate(updater, sorting)
      const sort = by && `${by.desc ? "-" : ""}${by.id}`
      state.set(copied ? { sort, page: undefined } : { sort })
    },
    onRowSelectionChange,
    onColumnOrderChange: (updater) => arrange({ order: functionalUpdate(updater, ofColumns.columnOrder) }),
    onColumnSizingChange: (updater) => arrange({ widths: functionalUpdate(updater, ofColumns.columnSizing) }),
    getRowCanExpand: () => props.renderDetail !== undefined,
    autoResetExpanded: false,
  })
  return { table, selection }
}

// Size 0: the column shares the remaining width.
const defaultColumn = { size: 0, cell: plainText, sortFn: byValue, sortUndefined: "last" } as const

/** Whether the shown rows belong to this filter; stays true while another page of it loads. */
function useIsAnswered(question: string, waiting: boolean): boolean {
  const [answered, setAnswered] = useState(question)
  if (!waiting && answered !== question) setAnswered(question)
  return answered === question
}

/** The column layout, here and in the selected view, and the data for the views menu. */
function useViews<T extends object>(props: ResourceListProps<T>) {
  const { query, listKey: list, filters = nothing, tabKey } = props
  const { values, setFilter } = query.state
  const { all, defaults } = useSession().views ?? {}
  const current = all?.find((view) => view.id === values.saved && view.list === list)
  // Briefly true also for a view that was just deleted here.
  const isViewMissing = useLate(
    all !== undefined && current === undefined && values.saved !== undefined && values.saved !== noView,
  )
  const [laidOut, arrange] = useColumnLayout(list, current)
  const chosen = {
    ...filtersInUse(filters, values),
    sort: values.sort,
    ...(tabKey && { [tabKey]: values[tabKey] }),
  }
  const search = Object.fromEntries(Object.entries(chosen).filter(isScalar))
  const hasDefault = list !== undefined && defaults?.[list] !== undefined
  const onOpen = (view: ListView | undefined) =>
    setFilter({
      ...withoutFilters(filters),
      ...(tabKey && { [tabKey]: undefined }),
      sort: undefined,
      ...view?.search,
      saved: view?.id ?? (hasDefault ? noView : undefined),
    })
  const changed =
    current !== undefined && !(sameValue(search, current.search) && sameValue(laidOut, current.columns))
  const views = list && { current, changed, shown: { list, search, columns: laidOut }, onOpen }
  return { laidOut, arrange, isViewMissing, views }
}

function isScalar(entry: [string, unknown]): entry is [string, ViewBody["search"][string]] {
  return ["string", "number", "boolean"].includes(typeof entry[1])
}

const nothing: readonly never[] = []

function totalText(
  { total, rows, read = 0 }: ListQuery<unknown>,
  noun: string,
  filtered: boolean,
): string | undefined {
  // The page hides some rows that the service's total counts.
  if (rows.length < read) return `${countText(rows.length, noun)} on this page`
  if (total === undefined) return undefined
  return filtered ? countText(total, noun) : `${formatCount(total)} total`
}

/** "2 members", "1 member", "No members". */
function countText(count: number, nouns: string): string {
  if (count === 0) return `No ${nouns}`
  return counted(count, nouns.replace(/s$/, ""))
}

function Nothing<T extends object>({ filters = nothing, empty, noMatch, list }: PartProps<T>) {
  const { query, noun, filtered } = list
  const { state, total, rows, read = rows.length } = query
  if (read === 0 && (state.page > 1 || (total ?? 0) > 0)) {
    const pages = total === undefined ? 0 : requestsFor(total, state.perPage)
    const known = pages === 1 ? "There is one page." : `There are ${formatCount(pages)} pages.`
    return (
      <EmptyState
        icon={IconFileOff}
        title={`Page ${formatCount(state.page)} is past the end`}
        help={
          pages > 0 ? known : "The service gives no total, so the last page isn’t known until it’s reached."
        }
        actions={
          <Button onClick={() => state.set({ page: pages || 1 })}>
            {pages > 0 ? "Last page" : "First page"}
          </Button>
        }
      />
    )
  }
  if (!filtered) return empty && <EmptyState {...empty} />
  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No ${noun} match these filters`}
      actions={<Button onClick={() => state.setFilter(withoutFilters(filters))}>Clear the filters</Button>}
      {...noMatch}
    />
  )
}

/** Opens the export of the list; without the permission it is disabled, naming the required role. */
export function ExportButton({ state }: { state: ListState }) {
  return (
    <RequirePermission permission="exports.people">
      <Button onClick={() => state.set({ open: "export" })}>Export</Button>
    </RequirePermission>
  )
}
