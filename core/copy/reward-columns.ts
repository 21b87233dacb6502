import type { Reward } from "../../contract/program/reward.ts"
import { fold } from "./member-columns.ts"

/** What lists search, filter and sort by. */
export function rewardColumns({ id, name, description, category, type, status, stock, points_cost }: Reward) {
  return {
    id_key: fold(id),
    name_key: fold(name?.trim() || id),
    category: fold(category ?? ""),
    type: fold(type ?? ""),
    status: fold(status ?? ""),
    // No limit sorts above any number.
    stock: stock === null ? Number.MAX_SAFE_INTEGER : numberOf(stock),
    points_cost: numberOf(points_cost),
    s_reward: fold([id, name, description, category].filter(Boolean).join(" ")),
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null
}
