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
import { Box, Group } from "@mantine/core"
import { type QueryClient, useMutation, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import {
  hiddenMemberField,
  type MemberFacets,
  memberSearchQuery,
  type MemberSearchQuery,
  memberSearchScope,
} from "../../../../contract/members.ts"
import type { Member } from "../../../../contract/program/member.ts"
import { sees } from "../../../../contract/redaction.ts"
import type { Role } from "../../../../contract/roles.ts"
import type { ListView } from "../../../../contract/views.ts"
import { memberFacetsQuery, copyMetaOf, membersQuery, readEveryMember } from "../../../api/members.ts"
import { useCan, useSession } from "../../../api/session.ts"
import { formatCount, formatPoints } from "../../../lib/format.ts"
import { fullName } from "../../../lib/names.ts"
import type { ListFilter } from "../../../lists/list-filters.tsx"
import { compareWords } from "../../../lists/list-columns.ts"
import { defined, pageSearch } from "../../../lists/list-params.ts"
import { copiedSum, useListQuery, useListState, type ListState } from "../../../lists/list-state.ts"
import { ExportButton, ResourceList } from "../../../lists/resource-list.tsx"
import { SelectionAction, type Selection } from "../../../lists/selection.tsx"
import { Popover } from "../../../ui/popover.tsx"
import { ErrorNotice } from "../../../ui/notice.tsx"
import tabsLook from "../../../ui/page-tabs.module.css"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { statusText } from "../../../ui/status.tsx"
import { fieldFilter } from "./field-filter.tsx"
import { AwardLink, memberColumns, observedIn, sortFields } from "./member-columns.tsx"
import type { MemberChange } from "./change-dialog.tsx"
import type { MembersSearch } from "../member-search.ts"
import { Button, buttonIcon, LinkButton } from "../../../ui/button.tsx"

const exports = () => import("../export/export.tsx")
const ExportMembers = lazy(async () => ({ default: (await exports()).ExportMembers }))
const ExportSelectedMembers = lazy(async () => ({ default: (await exports()).ExportSelectedMembers }))
const ChangeDialog = lazy(async () => ({ default: (await import("./change-dialog.tsx")).ChangeDialog }))

const route = getRouteApi("/_app/members")

/** The members list, from the local copy once that is complete. */
export function MembersPage() {
  const { role } = useSession().user
  const mayEdit = useCan("members.edit")
  const mayAward = useCan("points.write")
  const state = useListState()
  const search = route.useSearch({ select: pageSearch, structuralSharing: true })
  const query = toPageQuery(search, role)
  const { page: _page, per_page: _perPage, sort: _sort, status, ...others } = query
  const filter = { ...others, ...defined({ status }) }
  const page = useListQuery((how) => membersQuery(query, how), state)
  const meta = copyMetaOf(page.meta)
  const copied = meta?.complete === true
  const known = useFacets(copied, {})
  const counts = useFacets(copied && sees("member", role, "status"), others)
  const seen = useMemo(() => observedIn(page.rows), [page.rows])
  const tiers = known?.tiers.map(({ value }) => value).toSorted(compareWords) ?? seen.tiers
  const companies = known?.companies.map(({ value }) => value) ?? []
  const metadataKeys = known?.metadata_keys ?? seen.metadataKeys
  const columns = useMemo(() => memberColumns(role, metadataKeys, copied), [role, metadataKeys, copied])
  const { rows, total } = page
  const every = useMutation({ mutationFn: () => readEveryMember(filter) })
  return (
    <ResourceList
      title="Members"
      query={{ ...page, copied, syncing: copied && meta.syncing }}
      sum={copiedSum(total, meta, "member")}
      rowName={fullName}
      columns={columns}
      listKey="members"
      viewActions={mayAward ? viewActions : undefined}
      tabKey="status"
      tabs={sees("member", role, "status") && <StatusTabs current={status} counts={counts} />}
      filters={memberFilters({ role, copied, tiers, companies, fields: metadataKeys, search })}
      actions={
        <>
          <ImportButton />
          <ExportButton state={state} />
          <NewMemberButton />
        </>
      }
      notes={<ErrorNotice error={every.error} what="Couldn’t select every member." />}
      selectAll={
        copied && total !== undefined && total > rows.length
          ? { total, load: () => every.mutateAsync() }
          : undefined
      }
      selectionActions={mayEdit ? (selection) => <SelectionActions selection={selection} /> : undefined}
      rowAction={mayAward ? awardLink : undefined}
      selectionSum={(selected) =>
        `${formatPoints(selected.reduce((sum, { points_balance }) => sum + (points_balance ?? 0), 0))} points in total`
      }
      empty={emptyFor(status, state)}
      noMatch={noMatchFor(role, query, copied, state)}
      exportDialog={<ExportMembers filter={filter} copied={copied} total={total} onClose={state.close} />}
    />
  )
}

/** Award points or issue cards to everyone in a saved view. */
const viewActions = ({ id }: ListView) => (
  <Group gap={6}>
    <RequirePermission permission="points.write">
      <LinkButton size="xs" to="/members/points-file" search={{ kind: "award", view: id }}>
        Award points
      </LinkButton>
    </RequirePermission>
    <RequirePermission permission="cards.issue">
      <LinkButton size="xs" to="/cards/issue-file" search={{ view: id }}>
        Issue cards
      </LinkButton>
    </RequirePermission>
  </Group>
)

const awardLink = (member: Member) => <AwardLink member={member} />

/** The request for a page, without the filters and the order that the role may not use. */
export function toPageQuery(search: MembersSearch, role: Role): MemberSearchQuery {
  const { page, per_page, status, tier, company, field } = search
  const value = field === undefined ? undefined : search.value
  const allowed = (part: MemberSearchQuery) => (hiddenMemberField(role, part) === undefined ? part : {})
  return {
    ...defined({ search: search.search }),
    ...allowed(defined({ status })),
    ...allowed(defined({ tier })),
    ...allowed(defined({ company })),
    ...allowed(defined({ field, value })),
    ...allowed(defined({ sort: sortParam(search.sort) })),
    page,
    per_page,
  }
}

/** What the local copy sorts a column of the list by. */
export function sortParam(sort = "") {
  const [, minus = "", column = ""] = /^(-?)(.*)$/.exec(sort) ?? []
  return memberSearchQuery.shape.sort.safeParse(minus + (sortFields.get(column) ?? column)).data
}

/** Prefetches the list of a URL. */
export function readMembers(client: QueryClient, search: MembersSearch, role: Role): void {
  void client.prefetchQuery(membersQuery(toPageQuery(search, role)))
}

const tabs = [undefined, "active", "pending", "inactive"] as const

/** Tabs of the statuses, with counts from the local copy. */
function StatusTabs({
  current,
  counts,
}: {
  current: MembersSearch["status"]
  counts: MemberFacets | undefined
}) {
  const countOf = (status: string) =>
    counts?.statuses.find(({ value }) => value.toLowerCase() === status)?.count ?? 0
  return (
    <Box component="nav" aria-label="Status" mb={12} className={`scroll ${tabsLook.tabs}`}>
      {tabs.map((status) => (
        <Link
          key={status ?? "all"}
          from="/members"
          to="/members"
          search={(now) => ({ ...now, status, page: 1 })}
          resetScroll={false}
          className={`focus-inside ${tabsLook.tab}`}
          activeProps={{}}
          aria-current={status === current ? "page" : undefined}
          data-current={status === current || undefined}
        >
          {status === undefined ? "All" : statusText("member", status).word}
          {counts !== undefined && " "}
          {counts !== undefined && (
            <span className="text-muted l-num">
              {formatCount(status === undefined ? counts.total : countOf(status))}
            </span>
          )}
        </Link>
      ))}
    </Box>
  )
}

const searchLabels = {
  all: "Name, company, e-mail or phone",
  contact: "Name, company or e-mail",
  name: "Name or id",
} as const

const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

/** Search, tier, company and custom fields, as far as the role sees them. */
function memberFilters(of: {
  role: Role
  copied: boolean
  tiers: readonly string[]
  companies: readonly string[]
  fields: readonly string[]
  search: MembersSearch
}): readonly ListFilter[] {
  const { role, copied, tiers, companies, fields, search } = of
  const scope = memberSearchScope(role)
  if (scope === "name" && !copied && search.search === undefined) {
    const why = "Your role can search names and ids once all members are synced."
    return [{ type: "custom", keys: [], render: () => <p className="text-muted">{why}</p> }]
  }
  const tier: ListFilter = {
    type: "text",
    key: "tier",
    label: "Tier",
    seen: choices(tiers),
    help: copied
      ? "The tiers of all members."
      : "The service doesn’t list tiers. These were seen on loaded members; you can type any other.",
  }
  const company: ListFilter = {
    type: "text",
    key: "company",
    label: "Company",
    seen: choices(companies),
    help: "The companies with the most members. You can type any other.",
  }
  return [
    { type: "search", key: "search", label: copied ? searchLabels[scope] : "Name or e-mail" },
    ...(scope === "name" ? [] : [tier]),
    ...(scope !== "name" && (copied || search.company !== undefined) ? [company] : []),
    ...(sees("member", role, "metadata") && ((copied && fields.length > 0) || search.field !== undefined)
      ? [fieldFilter(fields)]
      : []),
  ]
}

const searchCovers = {
  all: "Search covers names, e-mails, companies, phones, ids and custom fields.",
  contact: "Search covers names, e-mails, companies and ids.",
  name: "Search covers names and ids.",
} as const

function emptyFor(status: MembersSearch["status"], { set }: ListState) {
  if (status === undefined) {
    return {
      icon: IconUsers,
      title: "There are no members yet",
      help: "Create a member, or import a list.",
      actions: <NewMemberButton />,
    }
  }
  return {
    icon: IconUsers,
    title: `There are no ${statusText("member", status).word.toLowerCase()} members`,
    actions: <Button onClick={() => set({ status: undefined })}>Show all members</Button>,
  }
}

function noMatchFor(role: Role, query: MemberSearchQuery, copied: boolean, { setFilter }: ListState) {
  const { search, status, tier, company, field } = query
  if (search === undefined) return copied ? {} : { help: "Enter the tier exactly as the service has it." }
  const others = status !== undefined || tier !== undefined || company !== undefined || field !== undefined
  const searchOnly = {
    status: undefined,
    tier: undefined,
    company: undefined,
    field: undefined,
    value: undefined,
  }
  return {
    title: `No members match “${search}”${others ? " and these filters" : ""}`,
    help: copied
      ? searchCovers[memberSearchScope(role)]
      : "Search covers names and e-mails until all members are synced.",
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

function useFacets(enabled: boolean, filter: Parameters<typeof memberFacetsQuery>[0]) {
  return useQuery({ ...memberFacetsQuery(filter), enabled }).data?.data
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
