import {
  type Company,
  companyListQuery,
  companySortFields,
  type MergedCompanies,
  mergeCompanyBody,
} from "../../contract/companies.ts"
import { sortOf } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import { can } from "../../contract/roles.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { copyState, listRequested } from "../copy/copied-list.ts"
import type { CompanyTotals, CopyStore } from "../copy/copy-store.ts"
import { fold, foldedWords } from "../copy/member-columns.ts"
import { badRequest, notFound, notSynced, stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { readBody, readQuery } from "../validation.ts"
import { companyFinder, mergedDocument, readMerged, targetOf } from "./merged-companies.ts"

export const companyRoutes: readonly Route[] = [
  route("GET /companies", "companies.read", ["query"], listCompanies),
  route("GET /companies/{name}", "companies.read", [], readCompany),
  route("PUT /companies/{name}/merge", "settings.program", [], async (context, request, { name = "" }) => {
    const { into } = readBody(request.body, mergeCompanyBody)
    return changeMerged(context, request, name, into.trim())
  }),
  route("DELETE /companies/{name}/merge", "settings.program", [], (context, request, { name = "" }) =>
    changeMerged(context, request, name, null),
  ),
]

const mostMerged = 2000

interface Group extends CompanyTotals {
  /** As a person wrote it, when names were merged into this one. */
  readonly written: string | undefined
  readonly parts: readonly CompanyTotals[]
}

/** The companies of the copy, with merged names added up. */
function groupsOf(totals: readonly CompanyTotals[], merged: MergedCompanies): Group[] {
  const companyOf = companyFinder(merged)
  const byTarget = Map.groupBy(totals, ({ company }) => companyOf(company).company)
  return [...byTarget].map(([company, parts]) => {
    const sum = (field: "active" | "inactive" | "members" | "points" | "without_points") =>
      parts.reduce((total, part) => total + part[field], 0)
    return {
      company,
      example: (parts.find((part) => part.company === company) ?? parts[0])?.example ?? "",
      members: sum("members"),
      active: sum("active"),
      inactive: sum("inactive"),
      points: sum("points"),
      without_points: sum("without_points"),
      written: companyOf(company).written,
      parts,
    }
  })
}

/** Companies as they are written in the records of members. */
async function namesFor(
  copy: CopyStore,
  totals: readonly CompanyTotals[],
): Promise<ReadonlyMap<string, string>> {
  const members = await stored(copy.members.get(totals.map(({ example }) => example)))
  const byId = new Map(members.map(({ id, company }) => [id, company ?? ""]))
  return new Map(totals.map(({ company, example }) => [company, byId.get(example) || company]))
}

async function listCompanies(context: CoreContext, request: ApiRequest): Promise<ApiResponse> {
  const query = readQuery(request.search, companyListQuery)
  const { search = "", sort = "-members", page = 1, per_page = limits.perPage.default } = query
  listRequested(context, request, "members", query)
  const { copy, meta } = await copyState(context, "members")
  const position = { page, per_page }
  if (copy === undefined) return success([], { meta: { ...position, total: 0, ...meta } })
  const groups = groupsOf(await stored(copy.members.companies()), await readMerged(context.store.settings))
  const words = foldedWords(search)
  const found = groups.filter(({ company, parts }) =>
    words.every((word) => company.includes(word) || parts.some((part) => part.company.includes(word))),
  )
  const { field, descending } = sortOf(sort, companySortFields, "members")
  const direction = descending ? -1 : 1
  found.sort((one, other) =>
    field === "name"
      ? direction * byName(one, other)
      : direction * (one[field] - other[field]) || byName(one, other),
  )
  const shown = found.slice((page - 1) * per_page, page * per_page)
  const names = await namesFor(copy, shown)
  const rows = shown.map((group) => toTotals(group, group.written ?? names.get(group.company)))
  return success(rows, { meta: { ...position, total: found.length, ...meta } })
}

const byName = (one: Group, other: Group) => (one.company < other.company ? -1 : 1)

function toTotals({ company, members, active, inactive, points, without_points }: Group, name = company) {
  return { name, members, active, inactive, points, without_points }
}

async function readCompany(
  context: CoreContext,
  { user }: ApiRequest,
  { name = "" }: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const { copy, meta } = await copyState(context, "members")
  if (copy === undefined)
    throw notSynced("Companies are known once all members are synced. Nothing was read. Try again then.")
  const merged = await readMerged(context.store.settings)
  const target = fold(targetOf(merged, name))
  const group = groupsOf(await stored(copy.members.companies()), merged).find(
    ({ company }) => company === target,
  )
  if (group === undefined) throw notFound("No member has this company.")
  const written = await namesFor(copy, [group, ...group.parts])
  // Also those that no member has any more, so that they can be taken back.
  const into = merged.filter((each) => fold(each.into) === target)
  const unused = into.filter((each) => !group.parts.some(({ company }) => company === fold(each.name)))
  const names: Company["names"] = [
    ...group.parts.map(({ company, members }) => ({
      name: written.get(company) ?? company,
      members,
      merged: company !== target,
    })),
    ...unused.map((each) => ({ name: each.name, members: 0, merged: true })),
  ]
  const sorted = names.toSorted(
    (one, other) => Number(one.merged) - Number(other.merged) || other.members - one.members,
  )
  const ledgers = can(user.role, "ledger.read") ? await ledgersOf(copy, group) : undefined
  const data = {
    ...toTotals(group, group.written ?? written.get(target)),
    names: sorted,
    ...(ledgers && { ledgers }),
  }
  return success(data, { meta: { ...meta } })
}

async function ledgersOf(copy: CopyStore, { parts }: Group): Promise<Company["ledgers"]> {
  const totals = await stored(copy.ledgers.ofCompany(parts.map(({ company }) => company)))
  const { lastAt, ...sums } = totals
  return { ...sums, last_entry_at: isoTimeOrNull(lastAt) }
}

/** Merges a name into a company, or with null takes that back. @throws AppError */
async function changeMerged(
  context: CoreContext,
  request: ApiRequest,
  name: string,
  into: string | null,
): Promise<ApiResponse> {
  const { audit, events, store } = context
  const key = fold(name)
  const changing = store.settings.change(mergedDocument, async (settings) => {
    const merged = await readMerged(settings)
    const before = merged.find((each) => fold(each.name) === key)
    const others = merged.filter((each) => each !== before)
    if (into === null) {
      if (before === undefined) throw notFound("This name isn’t merged with a company. Nothing was changed.")
      await settings.put(mergedDocument, others)
      return before.into
    }
    // The company that `into` is merged into itself; what was merged into `name` follows it.
    const target = targetOf(merged, into)
    if (fold(target) === key)
      throw badRequest(`“${into}” and “${name}” are one company already. Nothing was changed.`)
    if (others.length >= mostMerged)
      throw badRequest(`There are ${mostMerged} merged names already. Nothing was changed.`)
    const moved = others.map((each) => (fold(each.into) === key ? { ...each, into: target } : each))
    await settings.put(mergedDocument, [...moved, { name, into: target }])
    return before?.into ?? null
  })
  const from = await stored(changing)
  const on = { kind: "settings", id: mergedDocument, label: "Merged companies" } as const
  await audit.recordDone(request, {
    action: "settings.save",
    on,
    changes: [{ field: name, from, to: into }],
  })
  events.publish({ topic: "settings", id: mergedDocument })
  return success(null)
}
