import * as z from "zod/mini"
import type { RowRecord } from "../job-store.ts"

/** What was noted before a redemption was sent. `cost`: points for all pieces; null when the reward does not say. */
const noted = z.object({ orders: z.array(z.string()), cost: z.nullable(z.number()) })
/** What was noted before a redemption was sent. */
export type Noted = z.output<typeof noted>

/** Ids of the member's orders before the first sending, and the points it costs; undefined when nothing was sent. */
export function notedBefore({ work }: Pick<RowRecord, "work">): Noted | undefined {
  return noted.safeParse(work).data
}
