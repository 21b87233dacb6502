import { pointsReportQuery } from "../../contract/job.ts"
import {
  activityReportQuery,
  cardReportQuery,
  fulfilmentReportQuery,
  isLaurelGroup,
  ledgerReportQuery,
  type LedgerReportQuery,
  lateDays,
  outstandingReportQuery,
  type Report,
  type ReportCoverage,
  rewardsReportQuery,
  soonDays,
} from "../../contract/reports.ts"
import { grantOf, type Permission } from "../../contract/roles.ts"
import { addDays, dayAt, startOfDay } from "../../contract/zoned-days.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { fromCopy } from "../copy/copied-list.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { forbidden, stored } from "../errors.ts"
import { type ApiRequest, success } from "../http.ts"
import { readMerged } from "../members/merged-companies.ts"
import { requirePermission } from "../policy.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { readQuery } from "../validation.ts"
import { activityReport, daysCoverage, outstandingReader } from "./member-reports.ts"
import { cardsReader, fulfilmentReader, rewardsReader } from "./order-reports.ts"
import { isTimed, periodOf } from "./periods.ts"
import { entriesReader, laurelPoints, laurelReader } from "./points-report.ts"
import { offReport, type Reading, reportOf } from "./report.ts"

/** Reports cost the services no request: they read the local copy and Laurel’s own store. */
export const reportRoutes: readonly Route[] = [
  route("GET /reports/points", "ledger.read", ["query"], async (context, request) =>
    success(await laurelPoints(context, readQuery(request.search, pointsReportQuery))),
  ),
  report("ledgers", "ledger.read", (context, request) =>
    ledgerReport(context, request, readQuery(request.search, ledgerReportQuery)),
  ),
  report("outstanding", "ledger.read", async (context, { search }) => {
    const { by = "month", ...query } = readQuery(search, outstandingReportQuery)
    const { books } = context.store
    const { today, ...reading } = await readingOf(context, query, by)
    const coverage = [await daysCoverage(books, reading.period, today)]
    return reportOf(outstandingReader(books, by), { ...reading, source: "laurel", coverage })
  }),
  report("activity", "ledger.read", (context, { search }) => {
    const { by = "tier" } = readQuery(search, activityReportQuery)
    return ofCopy(context, ledgerCoverage, async (sync, coverage) => {
      const merged = await readMerged(context.store.settings)
      const found = await activityReport(sync.copy, by, await sync.copy.now(), merged)
      return { ...offReport, source: "copy", coverage, ...found }
    })
  }),
  report("rewards", "orders.read", async (context, { search }) => {
    const { by = "reward", ...query } = readQuery(search, rewardsReportQuery)
    const { today: _, ...reading } = await readingOf(context, query, by)
    return ofCopy(context, orderCoverage, async ({ copy }, coverage) => {
      const undated = await copy.reports.undatedOrders()
      const reader = rewardsReader(copy, by, reading.timeZone)
      return reportOf(reader, { ...reading, source: "copy", coverage, undated })
    })
  }),
  report("fulfilment", "orders.read", async (context, { search }) => {
    const { by = "month", late_days = lateDays, ...query } = readQuery(search, fulfilmentReportQuery)
    const { today, ...reading } = await readingOf(context, query, by)
    return ofCopy(context, orderCoverage, async ({ copy }, coverage) => {
      const reader = fulfilmentReader(copy, by, reading.timeZone)
      const found = await reportOf(reader, { ...reading, source: "copy", coverage })
      const lateBefore = startOfDay(addDays(today, -late_days), reading.timeZone)
      const { open, late } = await copy.reports.openOrders(lateBefore)
      return { ...found, total: { ...found.total, open, late } }
    })
  }),
  report("gift-cards", "cards.read", async (context, { search }) => {
    const { by = "month", expiring_days = soonDays, ...query } = readQuery(search, cardReportQuery)
    const { today: _, ...reading } = await readingOf(context, query, by)
    const reader = cardsReader(context, by, reading.timeZone)
    const found = await reportOf(reader, { ...reading, source: "laurel", coverage: [] })
    const now = context.clock.now()
    const { cards, cents } = await stored(context.store.cards.expiring(now, now + expiring_days * dayMs))
    return { ...found, total: { ...found.total, expiring: cards, expiring_cents: cents } }
  }),
]

const dayMs = 86_400_000

/** A report that also needs the permission to read what it counts. */
function report(
  name: string,
  permission: Permission,
  make: (context: CoreContext, request: ApiRequest) => Promise<Report>,
): Route {
  return route(`GET /reports/${name}`, "reports.read", ["query"], async (context, request) => {
    requirePermission(request.user.role, permission, "Nothing was read.")
    return success(await make(context, request))
  })
}

/** The period of a report, and how its rows are compared. @throws AppError 400 */
async function readingOf(
  { clock, settings }: CoreContext,
  query: Parameters<typeof periodOf>[0] & { readonly compare?: "before" | undefined },
  by: string,
): Promise<Pick<Reading, "period" | "compare" | "timed"> & { timeZone: string; today: string }> {
  const { time_zone: timeZone } = await settings.get("program")
  const today = dayAt(clock.now(), timeZone)
  const period = periodOf(query, by, today)
  return { period, compare: query.compare !== undefined, timed: isTimed(by), timeZone, today }
}

/** A report of the copy with its coverage; without a copy there is none. */
async function ofCopy(
  context: CoreContext,
  coverageOf: (sync: LocalCopy) => Promise<ReportCoverage[]>,
  make: (sync: LocalCopy, coverage: ReportCoverage[]) => Promise<Report>,
): Promise<Report> {
  const found = await fromCopy(context, async (sync) => make(sync, await coverageOf(sync)))
  return found ?? offReport
}

async function ledgerReport(
  context: CoreContext,
  { user }: ApiRequest,
  query: LedgerReportQuery,
): Promise<Report> {
  const { by = "month", source, type, reason, company, tier } = query
  if (by === "person" && grantOf(user.role, "reports.read") !== "yes")
    throw forbidden("Your role can’t see who awarded points. Nothing was read. Choose another group.")
  const { today: _, ...reading } = await readingOf(context, query, by)
  const { timeZone, period } = reading
  const isLaurels = source === "laurel" || by === "person"
  const copied = isLaurels
    ? undefined
    : await fromCopy(context, async (sync) => {
        const coverage = await ledgerCoverage(sync)
        if (coverage.at(-1)?.read === 0) return { coverage, found: undefined }
        const reader = await entriesReader(context, sync, query, timeZone)
        const undated = await sync.copy.reports.undatedEntries()
        return { coverage, found: await reportOf(reader, { ...reading, source: "copy", coverage, undated }) }
      })
  if (copied?.found !== undefined) return copied.found
  const coverage = copied?.coverage ?? []
  const isUnfiltered = [type, reason, company, tier].every((filter) => filter === undefined)
  if (!isLaurelGroup(by) || !isUnfiltered) return { ...offReport, period, coverage }
  return reportOf(laurelReader(context, query, timeZone), { ...reading, source: "laurel", coverage })
}

/** Members while they are still being synced, and ledgers. */
async function ledgerCoverage(sync: LocalCopy): Promise<ReportCoverage[]> {
  const members = await memberCoverage(sync)
  const { read, members: total } = await sync.copy.reports.ledgersRead()
  const ledgers = { of: "ledgers", read, total, complete: read >= total, as_of: members.as_of } as const
  return members.complete ? [ledgers] : [members, ledgers]
}

async function memberCoverage({ copy, members }: LocalCopy): Promise<ReportCoverage> {
  const { complete, syncedAt } = await copy.members.progress()
  const { live, total } = await members.status()
  return { of: "members", read: live, total, complete, as_of: isoTimeOrNull(syncedAt) }
}

async function orderCoverage({ orders }: LocalCopy): Promise<ReportCoverage[]> {
  const { live, total, complete, synced_at } = await orders.status()
  return [{ of: "orders", read: live, total, complete, as_of: synced_at }]
}
