import { IconBuilding } from "@tabler/icons-react"
import type { QueryClient } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import {
  companyListQuery,
  type CompanyListQuery,
  type CompanyTotals,
} from "../../../../contract/companies.ts"
import { companiesQuery } from "../../../api/companies.ts"
import { copyMetaOf } from "../../../api/members.ts"
import { useCan } from "../../../api/session.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import { layoutOf, type ListCell, type ListColumn } from "../../../lists/list-columns.ts"
import { defined } from "../../../lists/list-params.ts"
import { useListQuery, useListState } from "../../../lists/list-state.ts"
import links from "../../../lists/list-table.module.css"
import { RequirePagePermission } from "../../../lists/require-permission.tsx"
import { ResourceList } from "../../../lists/resource-list.tsx"
import { CellLink } from "../../../ui/record-link.tsx"
import { Points } from "../../../ui/values.tsx"
import type { CompaniesSearch } from "../member-search.ts"

const route = getRouteApi("/_app/companies")

/** The companies of members, added up from the local copy. */
export function CompaniesPage() {
  return (
    <RequirePagePermission permission="companies.read" title="Companies" noun="companies">
      <Companies />
    </RequirePagePermission>
  )
}

function toQuery({ search, sort, page, per_page }: CompaniesSearch): CompanyListQuery {
  const order = companyListQuery.shape.sort.safeParse(sort).data
  return { ...defined({ search, sort: order }), page, per_page }
}

/** Prefetches the list of a URL. */
export function readCompanies(client: QueryClient, search: CompaniesSearch): void {
  void client.prefetchQuery(companiesQuery(toQuery(search)))
}

function Companies() {
  const query = toQuery(route.useSearch())
  const mayAward = useCan("points.write")
  const page = useListQuery((how) => companiesQuery(query, how), useListState())
  const { total } = page
  const meta = copyMetaOf(page.meta)
  const isComplete = meta?.complete === true
  return (
    <ResourceList
      title="Companies"
      query={{ ...page, copied: isComplete, syncing: isComplete && meta.syncing }}
      sum={
        isComplete && total !== undefined
          ? total === 1
            ? "1 company"
            : `${formatCount(total)} companies`
          : ""
      }
      rowId={rowId}
      columns={columns}
      filters={[{ type: "search", key: "search", label: "Company" }]}
      rowAction={mayAward ? awardLink : undefined}
      empty={{ icon: IconBuilding, ...emptyFor(meta) }}
      noMatch={isComplete ? undefined : emptyFor(meta)}
    />
  )
}

const rowId = ({ name }: CompanyTotals) => name

function emptyFor(meta: ReturnType<typeof copyMetaOf>) {
  if (meta === undefined || meta.complete)
    return { title: "No member has a company", help: "Companies appear here once members have them." }
  if (meta.synced === null)
    return {
      title: "Companies aren’t available",
      help: "They are added up from the local copy of the members, which is off on this server.",
    }
  const { live, total } = meta.synced
  const progress =
    total === null ? counted(live, "member") : `${formatCount(live)} of ${counted(total, "member")}`
  return {
    title: "Members are being synced",
    help: `${progress} synced. Companies are listed once all of them are.`,
  }
}

const awardLink = ({ name }: CompanyTotals) => (
  <CellLink
    to="/members/points-file"
    search={{ kind: "award", company: name }}
    className={links.action}
    aria-label={`Award points to everyone at ${name}`}
  >
    Award
  </CellLink>
)

function countColumn(id: "active" | "inactive" | "members", header: string): ListColumn<CompanyTotals> {
  return {
    id,
    header,
    size: 112,
    sortDescFirst: true,
    accessorFn: (company) => company[id],
    cell: ({ getValue }) => <span className="l-num">{formatCount(getValue<number>())}</span>,
    meta: { align: "end", minLayout: "tablet", className: id === "members" ? "" : "text-secondary" },
  }
}

const columns: readonly ListColumn<CompanyTotals>[] = [
  {
    id: "name",
    header: "Company",
    accessorFn: ({ name }) => name,
    cell: NameCell,
    meta: { minLayout: "phone" },
  },
  countColumn("members", "Members"),
  countColumn("active", "Active"),
  countColumn("inactive", "Inactive"),
  {
    id: "points",
    header: "Points",
    size: 152,
    sortDescFirst: true,
    accessorFn: ({ points }) => points,
    cell: ({ row }) => <Points value={row.original.points} />,
    meta: { touchWidth: 112, align: "end", minLayout: "phone", hasAction: true },
  },
]

function NameCell({ row: { original: company }, table }: ListCell<CompanyTotals>) {
  const link = (
    <CellLink
      to="/companies/$name"
      params={{ name: company.name }}
      data-row-link
      className={`${links.link} truncate`}
    >
      {company.name}
    </CellLink>
  )
  if (layoutOf(table) !== "phone") return link
  return (
    <span className={links.lines}>
      {link}
      <span className="caption truncate">{counted(company.members, "member")}</span>
    </span>
  )
}
