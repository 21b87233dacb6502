import { limits } from "../../../../contract/limits.ts"
import * as z from "zod/mini"
import { textParam } from "../../../lists/list-params.ts"

/** What is printed: a packing slip for each order, or one list of what to take from the shelves. */
const printouts = ["slips", "pick"] as const
/** What is printed. */
export type Printout = (typeof printouts)[number]

/** Address of the page: ids of orders with commas between them. */
export const printSearch = z.object({
  ids: textParam(limits.ordersAtOnce * (limits.shortText + 1)),
  what: z._default(z.catch(z.enum(printouts), "slips"), "slips"),
})

/** The orders an address names, each once. */
export function idsOf(text: string | undefined): readonly string[] {
  const ids = (text ?? "").split(",").map((id) => id.trim())
  return [...new Set(ids.filter((id) => id !== ""))]
}
