import { isRounded, trackingNumber } from "../../../../contract/job-rows.ts"
import type { KnownOrder } from "./known-order.ts"

/** What a guard says about an order that was scanned. */
export type OrderVerdict =
  | { readonly type: "go" }
  | { readonly type: "blocked"; readonly why: "cancelled" | "digital" }
  /** A person may go on. */
  | { readonly type: "ask"; readonly why: "shipped" | "numbered" | "unusual" }

/** What a guard says about a tracking number by itself. */
export type NumberVerdict =
  | { readonly type: "go" }
  | { readonly type: "blocked"; readonly why: "rounded" | "unfit"; readonly message: string }

/** Whether an order may get a parcel. Moves are never forbidden where the service does not forbid them. */
export function guardOrder({ status, type, tracking_number: number }: KnownOrder): OrderVerdict {
  const word = status.toLowerCase()
  if (word === "cancelled" || word === "canceled") return { type: "blocked", why: "cancelled" }
  if (type?.toLowerCase() === "digital") return { type: "blocked", why: "digital" }
  if (word === "shipped" || word === "completed") return { type: "ask", why: "shipped" }
  if (word !== "pending" && word !== "processing") return { type: "ask", why: "unusual" }
  return number === null ? { type: "go" } : { type: "ask", why: "numbered" }
}

/** Whether a text can be a parcel's number. It is no order's id (`seemsOrder`). */
export function guardNumber(text: string): NumberVerdict {
  if (isRounded(text)) {
    return {
      type: "blocked",
      why: "rounded",
      message: "A spreadsheet rounded this number, so its last digits are lost. Scan the parcel itself.",
    }
  }
  const fit = trackingNumber.safeParse(text)
  if (fit.success && fit.data !== "") return { type: "go" }
  const message = fit.success ? "There is no number in it." : (fit.error.issues[0]?.message ?? "")
  return { type: "blocked", why: "unfit", message }
}

/**
 * Whether a text that was scanned while an order was open is an order's id. `yes`: it is one that is known, or begins as
 * the ids of this service do. `perhaps`: letters and digits stand as in the open order's id, so only a person can tell.
 * @param orderIds ids of orders that are known, the open one first
 */
export function seemsOrder(text: string, orderIds: readonly string[]): "yes" | "perhaps" | "no" {
  const [open = ""] = orderIds
  if (orderIds.some((id) => sameNumber(id, text)) || looksLike(open, text)) return "yes"
  return shapeOf(text) === shapeOf(open) ? "perhaps" : "no"
}

/** Whether two texts are one number: spaces, hyphens and the case of letters say nothing. */
export function sameNumber(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(text: string): string {
  return text.replace(/[\s-]/g, "").toUpperCase()
}

/** Ids of one service begin alike: letters and a mark (`ord_`) that no carrier's number has. */
function looksLike(id: string, text: string): boolean {
  const beginning = /^[A-Za-z]+[_:.#]/.exec(id)?.[0]
  return beginning !== undefined && text.toLowerCase().startsWith(beginning.toLowerCase())
}

function shapeOf(text: string): string {
  return text.replace(/[A-Za-z]/g, "a").replace(/\d/g, "9")
}
