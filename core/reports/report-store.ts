import type { PointsReport, PointsReportQuery } from "../../contract/job.ts"
import type { ZoneOffsets } from "../../contract/zoned-days.ts"

/** What reports read of the store of jobs. */
export interface JobReports {
  /** Points of confirmed rows without reversals and the rows they took back. Months are those of the time zone. */
  pointsReport(query: PointsReportQuery, timeZone: string): Promise<PointsReport["rows"]>
  /** Confirmed reversals, with the ids that both entries have at the service. `points` are those of the reversal. */
  reversals(): Promise<readonly Reversal[]>
}

/** A confirmed reversal. A merge takes points from one member and gives them to another. */
export interface Reversal {
  readonly memberId: string
  readonly reversedId: string
  readonly reversingMemberId: string
  readonly reversingId: string
  readonly points: number
}

/** Points that are added to an entry of a ledger before it is summed. */
export interface EntryCorrection {
  readonly memberId: string
  readonly entryId: string
  readonly points: number
}

/** A span of time, ms since 1970, `to` not included, with the offsets to UTC in it. */
interface Span {
  readonly from: number
  readonly to: number
  readonly offsets: ZoneOffsets
}

/** Entries of ledgers. */
export interface EntriesQuery extends Span {
  readonly by: "day" | "type" | "reason" | "company" | "tier"
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

/** Orders of one group, by when they were placed. Cancelled ones are counted apart. */
export interface OrdersSum {
  readonly group: string
  readonly label: string
  readonly orders: number
  readonly points: number
  readonly cancelled: number
  readonly cancelledPoints: number
}

/** Orders of one group that were shipped. Times from order to shipped in ms, by nearest rank. */
export interface ShippingSum {
  /** A place in `starts`, or a text; empty: none. */
  readonly group: string
  readonly label: string
  readonly shipped: number
  readonly median: number
  readonly p90: number
}

/** Members of one group by their last entry or order. */
export interface ActivitySum {
  readonly group: string
  readonly label: string
  readonly members: number
  readonly d30: number
  readonly d90: number
  readonly d365: number
  readonly older: number
  readonly never: number
  /** Their ledgers were never read. */
  readonly unread: number
}

/** Cards of one group: the number of a day, or a template. Test cards are not among the others. */
export interface CardsSum {
  readonly group: string
  readonly cards: number
  readonly cents: number
  readonly tests: number
}

/** What reports read of the register of gift cards. */
export interface CardReports {
  /** Cards by when they were issued. */
  spend(query: Span & { readonly by: "day" | "template" }): Promise<CardsSum[]>
  /** Live cards that expire between two times, ms since 1970. */
  expiring(from: number, to: number): Promise<{ readonly cards: number; readonly cents: number }>
}

/** What reports read of the local copy: sums, each of one statement. */
export interface CopyReports {
  entries(query: EntriesQuery): Promise<EntriesSum[]>
  redemptions(query: Span & { readonly by: "day" | "reward" | "category" }): Promise<OrdersSum[]>
  /** Of orders that need a parcel and have both times. `starts`: of the months in the span. */
  shipping(
    query: Pick<Span, "from" | "to"> & {
      readonly by: "all" | "start" | "carrier" | "reward"
      readonly starts: readonly number[]
    },
  ): Promise<ShippingSum[]>
  /** Orders to ship, those placed before a time, and when the oldest was placed. */
  openOrders(
    lateBefore: number,
  ): Promise<{ readonly open: number; readonly late: number; readonly oldest: number | null }>
  /** Orders without a time. */
  undatedOrders(): Promise<number>
  activity(query: {
    readonly by: "tier" | "company" | "status"
    readonly now: number
  }): Promise<ActivitySum[]>
  /** Entries without a time. */
  undatedEntries(): Promise<number>
  /** Live members, and those whose ledgers end with their balances as of the members' last pass. */
  ledgersRead(): Promise<{ readonly read: number; readonly members: number }>
}
