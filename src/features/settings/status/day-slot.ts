import type { Connection } from "../../../../contract/status.ts"
import { formatCount } from "../../../lib/format.ts"

/** Half an hour of calls to one service. */
export type DaySlot = Connection["day"][number]

/** How half an hour went: `quiet` nothing was asked. */
export type SlotLook = "quiet" | "fine" | "slow" | "trouble"

/** How half an hour went. Trouble beats slowness: an answer that never came is the worse news. */
export function slotLook({ calls, slow, trouble }: DaySlot): SlotLook {
  if (calls === 0) return "quiet"
  if (trouble > 0) return "trouble"
  return slow > 0 ? "slow" : "fine"
}

/** Calls, slow ones and troubled ones in words: `1,204 calls, 3 slow, 2 in trouble`. */
export function callWords(slots: readonly DaySlot[]): string {
  const sum = (of: "calls" | "slow" | "trouble") => slots.reduce((total, slot) => total + slot[of], 0)
  const calls = sum("calls")
  if (calls === 0) return "No calls"
  const parts = [`${formatCount(calls)} ${calls === 1 ? "call" : "calls"}`]
  if (sum("slow") > 0) parts.push(`${formatCount(sum("slow"))} slow`)
  if (sum("trouble") > 0) parts.push(`${formatCount(sum("trouble"))} with errors`)
  return parts.join(", ")
}
