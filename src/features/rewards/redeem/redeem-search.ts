import * as z from "zod/mini"
import { textParam } from "../../../lists/list-params.ts"

/**
 * The redeem drawer's part of an address: the member it is `for`, the `reward` where the page is not the reward's own,
 * and the `job` whose outcome it shows.
 */
export const redeemSearch = z.object({
  for: z.catch(z.optional(z.string()), undefined),
  reward: textParam(200),
  job: textParam(40),
})

/** What the drawer is about, and the ways inside it. Steps replace each other: Back leaves it. */
export interface RedeemAddress {
  readonly memberId: string | undefined
  readonly rewardId: string | undefined
  readonly jobId: string | undefined
  /** The page behind is the reward's own: no other can be chosen. */
  readonly rewardFixed: boolean
  readonly go: (change: RedeemChange) => void
  readonly close: () => void
}

/** Another member, reward or outcome; undefined takes one away. */
interface RedeemChange {
  readonly for?: string | undefined
  readonly reward?: string | undefined
  readonly job?: string | undefined
}
