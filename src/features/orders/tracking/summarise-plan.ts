import { statusWord } from "../../../ui/status.tsx"
import { plainNumber } from "../../../lib/format.ts"
import type { PlannedRow } from "./plan-row.ts"

/** What rows come to. */
export interface PlanSummary {
  readonly changed: number
  readonly same: number
  readonly unread: number
  /** Orders that have another number now, which is replaced. */
  readonly replaced: number
  /** Rows that name no carrier: the order keeps what it has. */
  readonly withoutCarrier: number
  /** Orders by move, the most first: "Pending to Shipped". */
  readonly moves: readonly (readonly [move: string, count: number])[]
  /** Orders by carrier, the most first. */
  readonly carriers: readonly (readonly [carrier: string, count: number])[]
  /** The one status all of them get; undefined where they get several or none. */
  readonly status: string | undefined
  /** Two for a change (the order is read right before it), one to see that there is nothing to change. */
  readonly requests: number
}

/** Sums up what rows do. */
export function summarisePlan(rows: readonly PlannedRow[]): PlanSummary {
  const sent = rows.filter(({ change }) => change !== "same")
  const same = rows.length - sent.length
  const statuses = new Set(sent.map(({ after }) => after.status))
  const [status] = statuses
  return {
    changed: sent.filter(({ change }) => change === "change").length,
    same,
    unread: sent.filter(({ change }) => change === "unread").length,
    replaced: sent.filter(isReplaced).length,
    withoutCarrier: sent.filter(({ after }) => after.carrier === undefined).length,
    moves: counted(sent.flatMap(moveOf)),
    carriers: counted(sent.flatMap(({ after }) => after.carrier ?? [])),
    status: statuses.size === 1 ? status : undefined,
    requests: sent.length * 2 + same,
  }
}

function isReplaced({ before, after }: PlannedRow): boolean {
  const now = before?.tracking_number ?? ""
  return now !== "" && plainNumber(now) !== plainNumber(after.tracking_number)
}

function moveOf({ before, after }: PlannedRow): string[] {
  if (before === undefined || after.status === undefined || before.status === after.status) return []
  const from = before.status === "" ? "No status" : statusWord("order", before.status).word
  return [`${from} to ${statusWord("order", after.status).word}`]
}

function counted(names: readonly string[]): (readonly [string, number])[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => [name, all.length] as const)
    .toSorted(([, one], [, other]) => other - one)
}
