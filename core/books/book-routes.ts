import {
  type BookDifference,
  bookMonth,
  closeMonthBody,
  differenceClasses,
  differencesQuery,
  matchBody,
  type MatchReport,
} from "../../contract/books.ts"
import { limits } from "../../contract/limits.ts"
import type { Transaction } from "../../contract/program/points.ts"
import { can, grantOf } from "../../contract/roles.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import type { EntryKey } from "../copy/copy-store.ts"
import { forbidden, notFound, stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import { memberLabel } from "../jobs/service-reads.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { readBody, readQuery } from "../validation.ts"
import type { Difference } from "./calculate.ts"
import { matchMonth } from "./match.ts"
import { monthOf } from "./months.ts"

type Params = Readonly<Record<string, string>>

export const bookRoutes: readonly Route[] = [
  route("GET /books", "reports.read", [], async ({ books }) => success(await books.list())),
  route("GET /books/{month}", "reports.read", [], async ({ books }, _, params) =>
    success(await books.statement(monthIn(params))),
  ),
  route("GET /books/{month}/differences", "reports.read", ["people", "query"], listDifferences),
  // Begins to look at members again; what it finds shows in the statements.
  route("POST /books/check", "reports.read", [], async ({ books, budget }, { user }) => {
    if (grantOf(user.role, "reports.read") !== "yes")
      throw forbidden("Only administrators and managers check the books. Nothing was checked.")
    budget.personActive()
    books.checkNow()
    return success(null)
  }),
  route("POST /books/{month}/close", "books.close", [], async ({ books }, request, params) => {
    const { not_read } = readBody(request.body, closeMonthBody)
    return success(await books.close(request, monthIn(params), not_read))
  }),
  route("POST /books/{month}/match", "reports.read", ["people"], matchFile),
]

/** @throws AppError 404 */
function monthIn({ month = "" }: Params): string {
  if (!bookMonth.safeParse(month).success)
    throw notFound("There are no books of this month. Choose a month of the list.")
  return month
}

async function listDifferences(
  context: CoreContext,
  { search, user }: ApiRequest,
  params: Params,
): Promise<ApiResponse> {
  const query = readQuery(search, differencesQuery)
  const { page = 1, per_page = limits.perPage.default } = query
  const all = await context.books.differences(monthIn(params))
  const found = all
    .filter((one) => query.class === undefined || one.class === query.class)
    .toSorted(
      (one, other) =>
        differenceClasses.indexOf(one.class) - differenceClasses.indexOf(other.class) ||
        (other.at ?? Infinity) - (one.at ?? Infinity) ||
        (one.id < other.id ? -1 : 1),
    )
  const shown = found.slice((page - 1) * per_page, page * per_page)
  const seesPeople = grantOf(user.role, "reports.read") === "yes"
  const rows = await viewDifferences(context, shown, seesPeople)
  return success(rows, { meta: { page, per_page, total: found.length } })
}

async function viewDifferences(
  { sync }: CoreContext,
  shown: readonly Difference[],
  seesPeople: boolean,
): Promise<BookDifference[]> {
  const keys = shown.flatMap(({ memberId, entry }) => (entry === null ? [] : [{ memberId, id: entry.id }]))
  const sent = await entriesOf(sync, keys)
  const ids = [...new Set(shown.map(({ memberId }) => memberId))]
  const members = seesPeople && sync !== undefined ? await stored(sync.copy.members.get(ids)) : []
  const names = new Map(members.map((member) => [member.id, memberLabel(member)]))
  return shown.map(({ id, class: kind, memberId, points, at, entry, record }, index) => {
    const one = sent.get(entryKey({ memberId, id: entry?.id ?? "" }))
    return {
      // Ids of ours are of the member; a role that does not see people gets none of them.
      id: seesPeople ? id : `${kind}:${index}`,
      class: kind,
      member: seesPeople ? { id: memberId, name: names.get(memberId) ?? memberId } : null,
      points,
      at: isoTimeOrNull(at),
      transaction_id: entry?.id ?? record?.detail.transaction ?? null,
      ...textsOf(one, { points, entry, record }),
      row: record?.detail.row ?? null,
    }
  })
}

/** What an entry says; of one that no ledger has, what Laurel made, and the order of a redemption. */
function textsOf(
  sent: Transaction | undefined,
  { points, entry, record }: Pick<Difference, "points" | "entry" | "record">,
): Pick<BookDifference, "type" | "reason" | "reference"> {
  const order = record?.detail.order
  if (order !== undefined) return { type: "redeem", reason: null, reference: order }
  if (record?.class === "missing")
    return { type: points > 0 ? "award" : "deduct", reason: null, reference: null }
  const { type, reason = null, reference = null } = sent ?? {}
  return { type: type ?? (entry?.type || null), reason, reference }
}

async function entriesOf(sync: CoreContext["sync"], keys: readonly EntryKey[]) {
  const entries = sync === undefined ? [] : await stored(sync.copy.ledgers.entries(keys))
  return new Map(
    entries.map(({ memberId, entry }) => [entryKey({ memberId, id: entry.transaction_id }), entry]),
  )
}

const entryKey = ({ memberId, id }: EntryKey) => `${memberId} ${id}`

async function matchFile(context: CoreContext, { body, user }: ApiRequest, params: Params) {
  if (!can(user.role, "exports.people"))
    throw forbidden("A finance file names members, which your role does not export. Nothing was matched.")
  const month = monthIn(params)
  const { rows } = readBody(body, matchBody)
  await context.books.statement(month)
  const { sync, settings } = context
  if (sync === undefined) throw notFound()
  const { time_zone } = await settings.get("program")
  const matched = await stored(matchMonth(sync.copy, monthOf(month, time_zone), time_zone, rows))
  const keys = matched.rows.flatMap(({ entry }) => (entry === null ? [] : [entry]))
  const sent = await entriesOf(sync, keys)
  const report: MatchReport = {
    rows: matched.rows.map(({ result, entry }) => {
      if (entry === null) return { result, entry }
      const { reason = null, reference = null } = sent.get(entryKey(entry)) ?? {}
      const { id, memberId, points, created_at } = entry
      return {
        result,
        entry: {
          transaction_id: id,
          member_id: memberId,
          points: points ?? 0,
          at: isoTimeOrNull(created_at),
          reason: reason,
          reference: reference,
        },
      }
    }),
    not_in_file: matched.notInFile,
  }
  return success(report)
}
