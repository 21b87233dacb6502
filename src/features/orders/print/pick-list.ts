import { orderName } from "../show/order-row.ts"
import type { Parcel } from "./parcel.ts"

/** What is taken from one shelf. */
export interface Pick {
  readonly reward: string
  readonly parcels: readonly Parcel[]
  /** Pieces that are known or worked out, over all parcels. */
  readonly pieces: number
  /** How many of the orders have a quantity that was worked out from the points spent. */
  readonly inferred: number
  /** Orders whose quantity cannot be told: they come on top. */
  readonly unknown: number
}

/** Sums up what to take, by reward and by name. Rewards of one name and different ids stay apart. */
export function pickList(parcels: readonly Parcel[]): readonly Pick[] {
  const byReward = Map.groupBy(parcels, ({ order }) => order.reward_id || orderName(order))
  return [...byReward.values()]
    .map((alike) => ({
      reward: alike[0] === undefined ? "" : orderName(alike[0].order),
      parcels: alike,
      pieces: alike.reduce((sum, { goes }) => sum + (goes?.quantity.pieces ?? 0), 0),
      inferred: alike.filter(({ goes }) => goes?.quantity.inferred === true && goes.quantity.pieces !== null)
        .length,
      unknown: alike.filter(({ goes }) => (goes?.quantity.pieces ?? null) === null).length,
    }))
    .toSorted((one, other) => one.reward.localeCompare(other.reward))
}
