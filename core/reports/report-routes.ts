import { pointsReportQuery } from "../../contract/job.ts"
import {
  isLaurelGroup,
  ledgerReportQuery,
  type LedgerReportQuery,
  type Report,
  type ReportCoverage,
} from "../../contract/reports.ts"
import { grantOf } from "../../contract/roles.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { fromCopy } from "../copy/copied-list.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { forbidden } from "../errors.ts"
import { type ApiRequest, success } from "../http.ts"
import { requirePermission } from "../policy.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { readQuery } from "../validation.ts"
import { periodOf } from "./periods.ts"
import { entriesReader, laurelPoints, laurelReader } from "./points-report.ts"
import { offReport, reportOf } from "./report.ts"

/** Reports cost the services no request: they read the local copy and Laurel’s own store. */
export const reportRoutes: readonly Route[] = [
  route("GET /reports/points", "ledger.read", ["query"], async (context, request) =>
    success(await laurelPoints(context, readQuery(request.search, pointsReportQuery))),
  ),
  route("GET /reports/ledgers", "reports.read", ["query"], async (context, request) => {
    requirePermission(request.user.role, "ledger.read", nothingRead)
    return success(await ledgerReport(context, request, readQuery(request.search, ledgerReportQuery)))
  }),
]

const nothingRead = "Nothing was read."

async function ledgerReport(
  context: CoreContext,
  { user }: ApiRequest,
  query: LedgerReportQuery,
): Promise<Report> {
  const { by = "month", source, compare } = query
  if (by === "person" && grantOf(user.role, "reports.read") !== "yes")
    throw forbidden("Your role can’t see who awarded points. Nothing was read. Choose another group.")
  const { time_zone } = await context.settings.get("program")
  const period = periodOf(query, by, dayAt(context.clock.now(), time_zone))
  const reading = { period, compare: compare !== undefined, timed: by === "month" || by === "day" }
  const copied =
    source === "laurel" || by === "person"
      ? undefined
      : await fromCopy(context, async (sync) => {
          const coverage = await ledgerCoverage(sync)
          if (coverage.at(-1)?.read === 0) return { coverage, found: undefined }
          const reader = await entriesReader(context, sync, query, time_zone)
          const undated = await sync.copy.reports.undatedEntries()
          const found = await reportOf(reader, { ...reading, source: "copy", coverage, undated })
          return { coverage, found }
        })
  if (copied?.found !== undefined) return copied.found
  const coverage = copied?.coverage ?? []
  const { type, reason, company, tier } = query
  const isUnfiltered = [type, reason, company, tier].every((filter) => filter === undefined)
  if (!isLaurelGroup(by) || !isUnfiltered) return { ...offReport, period, coverage }
  return reportOf(laurelReader(context, query, time_zone), { ...reading, source: "laurel", coverage })
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
