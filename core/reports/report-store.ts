import type { PointsReport, PointsReportQuery } from "../../contract/job.ts"
import type { ZoneOffsets } from "../../contract/zoned-days.ts"

/** What reports read of the store of jobs. */
export interface JobReports {
  /** Points of confirmed rows without reversals and the rows they took back. Months are those of the time zone. */
  pointsReport(query: PointsReportQuery, timeZone: string): Promise<PointsReport["rows"]>
  /** Confirmed reversals, with the ids that both entries have at the service. `points` of the reversal are negative. */
  reversals(): Promise<readonly Reversal[]>
}

export interface Reversal {
  readonly memberId: string
  readonly reversedId: string
  readonly reversingId: string
  readonly points: number
}

/** Points that are added to an entry of a ledger before it is summed. */
export interface EntryCorrection {
  readonly memberId: string
  readonly entryId: string
  readonly points: number
}

/** Entries of ledgers. */
export interface EntriesQuery {
  readonly by: "day" | "type" | "reason" | "company" | "tier"
  /** ms since 1970, `to` not included. */
  readonly from: number
  readonly to: number
  /** Between them. */
  readonly offsets: ZoneOffsets
  /** These are compared without case and accents. */
  readonly type?: string | undefined
  readonly reason?: string | undefined
  readonly tier?: string | undefined
  /** One of these. */
  readonly company?: readonly string[] | undefined
  readonly corrections: readonly EntryCorrection[]
}

/** Entries of one group and type. One that its correction leaves no points is not counted. */
export interface EntriesSum {
  /** The number of a day, or a text without case and accents; empty: none. */
  readonly group: string
  /** As one of them has it. */
  readonly label: string
  readonly type: string
  readonly points: number
  readonly entries: number
}

/** What reports read of the local copy: sums, each of one statement. */
export interface CopyReports {
  entries(query: EntriesQuery): Promise<EntriesSum[]>
  /** Entries without a time. */
  undatedEntries(): Promise<number>
  /** Live members, and those whose ledgers end with their balances as of the members' last pass. */
  ledgersRead(): Promise<{ readonly read: number; readonly members: number }>
}
