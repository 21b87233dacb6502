import {
  IconChevronDown,
  IconCircleCheck,
  IconCircleMinus,
  IconDownload,
  IconMinus,
  IconPencil,
  IconPlus,
  IconUserPlus,
  IconUsers,
} from "@tabler/icons-react"
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useCallback, useMemo, useState } from "react"
import type { Member } from "../../../../contract/program/member.ts"
import {
  everyMemberQuery,
  memberMatcher,
  membersInCache,
  membersQuery,
  readEveryMember,
  type MemberFilter,
} from "../../../api/members.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { counted, formatCount, formatPoints } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import type { ListFilter } from "../../../lists/list-filters.tsx"
import { pageSearch } from "../../../lists/list-params.ts"
import { useLoadAll, useListQuery, useListState, type ListState } from "../../../lists/list-state.ts"
import { ExportButton, ResourceList, useIsAnswered } from "../../../lists/resource-list.tsx"
import { SelectionAction, type Selection } from "../../../lists/selection.tsx"
import { useStable } from "../../../ui/hooks.ts"
import { Popover } from "../../../ui/popover.tsx"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { statusChoices } from "../../../ui/status.tsx"
import { LoadAllNotes, LoadAllOffer, selectEvery, useOutdated, completeSource } from "./load-all.tsx"
import { AwardLink, memberColumns, observedIn } from "./member-columns.tsx"
import type { MemberChange } from "./change-dialog.tsx"
import { toMemberFilter, type MembersSearch, toPageQuery } from "../member-search.ts"
import { Button, buttonIcon, LinkButton } from "../../../ui/button.tsx"

const exports = () => import("../export/export.tsx")
const ExportMembers = lazy(async () => ({ default: (await exports()).ExportMembers }))
const ExportSelectedMembers = lazy(async () => ({ default: (await exports()).ExportSelectedMembers }))
const ChangeDialog = lazy(async () => ({ default: (await import("./change-dialog.tsx")).ChangeDialog }))

const route = getRouteApi("/_app/members")
/** Search params of one page at a time, in the service's order. */
const pagedSearch = { all: undefined, sort: undefined }

/** The members list: one page, or every match once loaded. */
export function MembersPage() {
  const client = useQueryClient()
  const { role } = useSession().user
  const maySearch = useCan("members.search")
  const mayEdit = useCan("members.edit")
  const mayAward = useCan("points.write")
  const state = useListState()
  const search = route.useSearch({ select: pageSearch, structuralSharing: true })
  const filter = toMemberFilter(search, maySearch)
  const { status, tier } = filter
  const filterKey = JSON.stringify(filter)
  const loading = useLoadAll(
    filterKey,
    (how) => readEveryMember(client, filter, how),
    () => state.set({ all: true }, { replace: true }),
  )

  const every = useQuery(everyMemberQuery(filter)).data ?? null
  const complete = search.all ? every : null
  const outdated = useOutdated(everyMemberQuery(filter).queryKey) && complete !== null
  const query = toPageQuery(search, maySearch)
  const page = useListQuery((how) => membersQuery(query, how), state, { enabled: complete === null })
  const loadedMatches = useLoadedMatches(complete === null && !page.waiting && page.rows.length === 0, filter)
  const found =
    loadedMatches.length === 0 ? page : { ...page, rows: loadedMatches, total: loadedMatches.length }
  const list = complete === null ? found : { ...page, ...completeSource(complete, loading) }
  const { rows, total } = list
  // During a page change the number of matches is unchanged; during a filter change it is unknown.
  const matching = useIsAnswered(filterKey, list.waiting) ? total : undefined
  const observed = useObserved(rows)
  const columns = useMemo(() => memberColumns(role, observed.metadataKeys), [role, observed])
  return (
    <ResourceList
      title="Members"
      query={list}
      seenFor={useCallback(
        (text: string) => cachedMembers(client, { search: text, status, tier }),
        [client, status, tier],
      )}
      rowName={fullName}
      columns={columns}
      listKey="members"
      filters={memberFilters(maySearch, observed.tiers)}
      actions={
        <>
          <ImportButton />
          <ExportButton state={state} />
          <NewMemberButton />
        </>
      }
      filterEnd={
        !list.complete && matching !== undefined ? (
          <LoadAllOffer total={matching} loading={loading} />
        ) : undefined
      }
      notes={
        <LoadAllNotes
          loading={loading}
          outdated={outdated ? rows.length : undefined}
          missing={search.all && every === null && !list.complete}
          onPages={() => state.set(pagedSearch)}
        />
      }
      selectAll={list.complete ? undefined : selectEvery(matching, loading)}
      selectionActions={mayEdit ? (selection) => <SelectionActions selection={selection} /> : undefined}
      rowAction={mayAward ? awardLink : undefined}
      selectionSum={(selected) =>
        `${formatPoints(selected.reduce((sum, { points_balance }) => sum + (points_balance ?? 0), 0))} points in total`
      }
      empty={{
        icon: IconUsers,
        title: "There are no members yet",
        help: "Create a member, or import a list.",
        actions: <NewMemberButton />,
      }}
      noMatch={noMatch(filter, state)}
      footer={complete === null ? footerOfMatches(loadedMatches) : footerOfAll(rows, state)}
      exportDialog={<ExportMembers filter={filter} total={total} onClose={state.close} />}
    />
  )
}

const awardLink = (member: Member) => <AwardLink member={member} />

/** Loaded members that match a search without results: the service's search does not cover all fields. */
function useLoadedMatches(isEmpty: boolean, { search, status, tier }: MemberFilter): readonly Member[] {
  const client = useQueryClient()
  return useMemo(
    () => (isEmpty && search !== undefined ? cachedMembers(client, { search, status, tier }) : []),
    [isEmpty, client, search, status, tier],
  )
}

/** Tiers and metadata keys of cached members: these rows and other pages'. Recomputed when the rows change. */
function useObserved(rows: readonly Member[]) {
  const client = useQueryClient()
  return useStable(useMemo(() => observedIn(rows.length === 0 ? [] : membersInCache(client)), [rows, client]))
}

/** Counts members that match by fields that the service does not search. */
function footerOfMatches({ length }: readonly Member[]) {
  return length === 0 ? undefined : { count: `${counted(length, "loaded member")} by company, phone or id` }
}

function footerOfAll({ length }: readonly Member[], { set }: ListState) {
  return {
    count: (
      <>
        <b>{formatCount(length)}</b> loaded
      </>
    ),
    end: (
      <Button size="xs" variant="subtle" onClick={() => set(pagedSearch)}>
        Back to pages
      </Button>
    ),
  }
}

/** Prefetches the list of a URL, unless cached: one upstream request, none if all was loaded. */
export function readMembers(client: QueryClient, search: MembersSearch, maySearch: boolean): void {
  const every = client.getQueryData(everyMemberQuery(toMemberFilter(search, maySearch)).queryKey)
  if (!search.all || !every) void client.prefetchQuery(membersQuery(toPageQuery(search, maySearch)))
}

const mostSeen = 25

/** Cached members that match a filter, by company, phone and id too. */
function cachedMembers(client: QueryClient, { search = "", status, tier }: MemberFilter): readonly Member[] {
  const isMatch = memberMatcher(search)
  const found = new Map<string, Member>()
  for (const member of membersInCache(client)) {
    const fits = (status ?? member.status) === member.status && (tier ?? member.tier) === member.tier
    if (fits && isMatch(member)) found.set(member.id, member)
    if (found.size === mostSeen) break
  }
  return [...found.values()]
}

/** Filters for search, status and tier. Roles without search see the reason instead. */
function memberFilters(maySearch: boolean, tiers: readonly string[]): readonly ListFilter[] {
  if (!maySearch) {
    const why = "Your role sees names and ids only, so there is nothing to search or filter by."
    return [{ type: "custom", keys: [], render: () => <p className="text-muted">{why}</p> }]
  }
  return [
    { type: "search", key: "search", label: "Name or e-mail" },
    { type: "choice", key: "status", label: "Status", choices: statusChoices("member") },
    {
      type: "text",
      key: "tier",
      label: "Tier",
      seen: tiers.map((tier) => ({ value: tier, label: tier })),
      help: "The service doesn’t list tiers. These were seen on loaded members; you can type any other.",
    },
  ]
}

function noMatch({ search, status, tier }: MemberFilter, { setFilter }: ListState) {
  if (search === undefined) return { help: "Enter the tier exactly as the service has it." }
  const others = status !== undefined || tier !== undefined
  const searchOnly = { status: undefined, tier: undefined }
  return {
    title: `No members match “${search}”${others ? " and these filters" : ""}`,
    help: "Search covers names and e-mails, and companies, phones and ids of the members loaded here.",
    actions: (
      <>
        {others && <Button onClick={() => setFilter(searchOnly)}>Search all members</Button>}
        <Button onClick={() => setFilter({ ...searchOnly, search: undefined })}>
          {others ? "Clear the filters" : "Clear the search"}
        </Button>
      </>
    ),
  }
}

/** Maximum number of members in a URL; more are passed to the page that awards from a list. */
const mostInAddress = 200

function SelectionActions({ selection }: { selection: Selection<Member> }) {
  const [open, setOpen] = useState<MemberChange | "export">()
  const mayExport = useCan("exports.people")
  const navigate = useNavigate()
  const change = (act: "award" | "deduct") => {
    const ids = selection.rows.map(({ id }) => id)
    if (ids.length <= mostInAddress) {
      void navigate({ to: ".", search: (now) => ({ ...now, act, for: ids }), resetScroll: false })
    } else {
      const chosen = selection.rows.map((member) => [member.id, fullName(member)] as const)
      void navigate({ to: "/members/points-file", search: { kind: act }, state: { chosen } })
    }
  }
  const actions = [
    { label: "Award", Icon: IconPlus, onClick: () => change("award") },
    { label: "Deduct", Icon: IconMinus, onClick: () => change("deduct") },
    ...statusActions(selection.rows).map((action) => ({ ...action, onClick: () => setOpen(action.to) })),
    { label: "Edit", Icon: IconPencil, onClick: () => setOpen("field") },
    ...(mayExport ? [{ label: "Export", Icon: IconDownload, onClick: () => setOpen("export") }] : []),
  ]
  return (
    <>
      {actions.map(({ label, Icon, onClick }) => (
        <SelectionAction key={label} icon={<Icon {...buttonIcon} />} label={label} onClick={onClick} />
      ))}
      <Suspense>
        {open === "export" && (
          <ExportSelectedMembers members={selection.rows} onClose={() => setOpen(undefined)} />
        )}
        {open !== undefined && open !== "export" && (
          <ChangeDialog
            members={selection.rows}
            change={open}
            onClose={(started) => {
              setOpen(undefined)
              if (started) selection.clear()
            }}
          />
        )}
      </Suspense>
    </>
  )
}

/** Deactivating and reactivating, as far as a selected member would change. */
function statusActions(members: readonly Member[]) {
  const inactive = members.filter(({ status }) => status?.toLowerCase() === "inactive").length
  return [
    ...(inactive < members.length
      ? [{ label: "Deactivate", Icon: IconCircleMinus, to: "inactive" } as const]
      : []),
    ...(inactive > 0 ? [{ label: "Reactivate", Icon: IconCircleCheck, to: "active" } as const] : []),
  ]
}

const pointsFile = { permission: "points.write", to: "/members/points-file" } as const
const imports = [
  { ...pointsFile, search: { kind: "award" }, label: "Award points", Icon: IconPlus },
  { ...pointsFile, search: { kind: "deduct" }, label: "Deduct points", Icon: IconMinus },
  { permission: "members.edit", to: "/members/import", search: {}, label: "Add members", Icon: IconUserPlus },
  {
    permission: "members.edit",
    to: "/members/change",
    search: {},
    label: "Change members",
    Icon: IconPencil,
  },
] as const

function ImportButton() {
  return (
    <Popover
      label="Import"
      align="end"
      button={<Button rightSection={<IconChevronDown size={14} stroke={2} aria-hidden />}>Import</Button>}
    >
      {() => (
        <>
          {imports.map(({ permission, label, Icon, ...address }) => (
            <RequirePermission key={label} permission={permission}>
              <LinkButton {...address} variant="choice" leftSection={<Icon {...buttonIcon} />}>
                {label}
              </LinkButton>
            </RequirePermission>
          ))}
        </>
      )}
    </Popover>
  )
}

function NewMemberButton() {
  return (
    <RequirePermission permission="members.edit">
      <LinkButton
        from="/members"
        to="/members/new"
        search={true}
        resetScroll={false}
        variant="filled"
        leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
      >
        New member
      </LinkButton>
    </RequirePermission>
  )
}
