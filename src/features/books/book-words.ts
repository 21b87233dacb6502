import type {
  BookDifference,
  BookLine,
  BookStatement,
  DifferenceClass,
  FlowType,
} from "../../../contract/books.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { longDay, timeOfDay } from "../../lib/time.ts"
import type { StatusText } from "../../ui/status.tsx"

/** A day and a time: `2 November 2026, 06:14`. */
export function dayAndTime(at: string): string {
  return `${longDay(at)}, ${timeOfDay(at)}`
}

type Month = Pick<BookLine, "state" | "coverage">

/** Members whose ledgers were not read since the month ended. */
export function notReadOf({ coverage: { read, members } }: Pick<Month, "coverage">): number {
  return Math.max(0, members - read)
}

/** Whether the month is over and can be closed, perhaps without some members. */
export const canBeClosed = ({ state }: Pick<Month, "state">) => state === "ready" || state === "waiting"

/** How far a month is. */
export function stateText(month: Month): StatusText {
  if (month.state === "waiting") {
    return {
      icon: "clock-hour-4",
      tone: "warning",
      word: `Waiting for ${counted(notReadOf(month), "ledger")}`,
    }
  }
  return states[month.state]
}

const states: Readonly<Record<Exclude<BookLine["state"], "waiting">, StatusText>> = {
  running: { icon: "circle-dotted", tone: "info", word: "Running" },
  ready: { icon: "circle-check", tone: "success", word: "Ready to close" },
  closed: { icon: "lock", tone: "grey", word: "Closed" },
  before: { icon: "minus", tone: "grey", word: "Before the books began" },
}

/** How many ledgers the figures rest on: `9,980 of 10,000 members read after the month ended, from … to ….` */
export function coverageText({ state, coverage }: Pick<BookStatement, "state" | "coverage">): string {
  const { read, members, from, to } = coverage
  const share = `${formatCount(read)} of ${counted(members, "member")} read`
  const when = state === "running" ? " so far" : " after the month ended"
  const times =
    from === null || to === null
      ? ""
      : from === to
        ? `, at ${dayAndTime(from)}`
        : `, from ${dayAndTime(from)} to ${dayAndTime(to)}`
  return `${share}${when}${times}.`
}

/** What no statement can have. */
export const notSeenText = "Not seen: members created and deleted between two passes."

const flowLabels: Readonly<Record<FlowType, string>> = {
  award: "Awards",
  deduct: "Deductions",
  redeem: "Redemptions",
  expire: "Expiry",
  adjust: "Adjustments",
  other: "Other entries",
}

/** As in the equation of the statement. */
const flowOrder = Object.keys(flowLabels)

/** A line of the statement: only flows tell Laurel's own entries from others. */
export interface StatementLine {
  readonly key: string
  readonly label: string
  readonly points: number
  readonly isBalance: boolean
  readonly ours: number | null
  readonly foreign: number | null
  /** How many entries, members or differences: `1,204 entries`; empty for none, and for a balance. */
  readonly counted: string
  /** The same as a number; null for a balance. */
  readonly count: number | null
}

const membersText = (count: number) => counted(count, "member")
/** A line; a balance counts nothing. */
function line(
  key: string,
  label: string,
  points: number,
  count: number | null,
  words = (many: number) => counted(many, "entry"),
): StatementLine {
  const counted = count === null || count === 0 ? "" : words(count)
  return { key, label, points, count, counted, isBalance: count === null, ours: null, foreign: null }
}

const differencesText = (count: number) => counted(count, "difference")

/** The statement as lines that add up to its last one. */
export function statementLines(statement: BookStatement): readonly StatementLine[] {
  const { opening, closing, flows, brought_in, late, deleted, unexplained } = statement
  return [
    line("opening", "Opening balance", opening, null),
    ...flows
      .toSorted((one, other) => flowOrder.indexOf(one.type) - flowOrder.indexOf(other.type))
      .map(({ type, ours, foreign }) => ({
        ...line(type, flowLabels[type], ours.points + foreign.points, ours.entries + foreign.entries),
        ours: ours.points,
        foreign: foreign.points,
      }))
      .filter(({ key, count }) => key !== "other" || count !== 0),
    line("brought-in", "Brought in", brought_in.points, brought_in.entries, membersText),
    line("late", "Late entries", late.points, late.entries),
    line("deleted", "Deleted", 0 - deleted.points, deleted.entries, membersText),
    line("unexplained", "Unexplained", unexplained.points, unexplained.entries, differencesText),
    line("closing", "Closing balance", closing, null),
  ]
}

/** What a class of differences is called, what it means and what to do about it. */
export const classTexts: Readonly<
  Record<
    DifferenceClass,
    { readonly label: string; readonly short: string; readonly means: string; readonly next: string }
  >
> = {
  unexplained: {
    label: "Unexplained",
    short: "Unexplained",
    means: "The balance and the ledger disagreed in two looks at least 30 minutes apart.",
    next: "Open the member’s ledger and compare it with the balance. If they still differ after another check, ask the program’s support with the member’s id.",
  },
  missing: {
    label: "Not in ledgers",
    short: "Missing",
    means: "The service confirmed these changes to Laurel, but no ledger read since then has them.",
    next: "Open the row of the job and compare it with the member’s ledger before anything is sent again.",
  },
  foreign: {
    label: "Made elsewhere",
    short: "Elsewhere",
    means:
      "These entries weren’t made with Laurel: the program’s own admin or another integration writes to the program too.",
    next: "If you don’t know a reason or reference, ask who else has access to the program.",
  },
  awaiting: {
    label: "Awaiting approval",
    short: "Awaiting",
    means: "These points wait for an approval and are in no balance yet.",
    next: "Approve or decline them in the program’s own admin.",
  },
  late: {
    label: "Late",
    short: "Late",
    means: "These entries are dated into a month that was closed before they were read.",
    next: "The closed month stays as it is, so they count here. Nothing to do.",
  },
  "brought-in": {
    label: "Brought in",
    short: "Brought in",
    means: "These members had points before their first entry, such as a balance from an earlier program.",
    next: "Compare the sum with what was moved into the program.",
  },
  deleted: {
    label: "Deleted members",
    short: "Deleted",
    means: "These members were deleted in this month, and their last balances left with them.",
    next: "If a deletion wasn’t meant, create the member again and award the points.",
  },
}

/** Count and points of each class of a statement's differences. */
export function classTotals(
  statement: BookStatement,
): Readonly<Record<DifferenceClass, BookStatement["unexplained"]>> {
  const { awaiting, deleted, brought_in, late, missing, unexplained, flows } = statement
  const foreign = { points: 0, entries: 0 }
  for (const flow of flows) {
    foreign.points += flow.foreign.points
    foreign.entries += flow.foreign.entries
  }
  const left = { ...deleted, points: 0 - deleted.points }
  return { unexplained, missing, foreign, awaiting, late, "brought-in": brought_in, deleted: left }
}

/** What a difference changed: the last balance of a deleted member left. */
export const changeOf = ({ class: of, points }: Pick<BookDifference, "class" | "points">) =>
  of === "deleted" ? 0 - points : points

/** Whether no month is closed yet: the books begin with the first one that is. */
export const isFirstClose = (months: readonly BookLine[]) => months.every(({ state }) => state !== "closed")

/**
 * The month that is closed next: after the last closed one, as months are closed in order, else the newest that is over.
 * @param months newest first
 */
export function nextToClose(months: readonly BookLine[]): BookLine | undefined {
  const closed = months.findIndex(({ state }) => state === "closed")
  const next = closed === -1 ? months.find(canBeClosed) : months[closed - 1]
  return next !== undefined && canBeClosed(next) ? next : undefined
}
