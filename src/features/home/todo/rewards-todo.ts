import { IconAlertTriangle } from "@tabler/icons-react"
import { limits } from "../../../../contract/limits.ts"
import type { Reward } from "../../../../contract/program/reward.ts"
import type { Answer } from "../../../api/request.ts"
import { counted, formatCount } from "../../../lib/format.ts"
import { lowStock } from "../../../lib/low-stock.ts"
import type { OpenTodo } from "./todo.ts"

/** How many of them are named. */
const named = 3

/** "3 rewards are short": offered, and running low or out of stock, those with the fewest pieces first. */
export function rewardsTodo({ data, meta }: Answer<Reward[]>): OpenTodo | undefined {
  const short = data
    .flatMap((reward) => (isShort(reward) ? [{ reward, stock: Math.max(0, reward.stock ?? 0) }] : []))
    .toSorted((one, other) => one.stock - other.stock)
  const [first] = short
  if (first === undefined) return undefined
  const unread = meta?.total === undefined ? data.length >= limits.perPage.max : meta.total > data.length
  const names = short.slice(0, named).map(({ reward, stock }) => {
    return `${reward.name || reward.id} ${stock === 0 ? "is out" : `has ${formatCount(stock)}`}`
  })
  const others = short.length - names.length
  return {
    icon: IconAlertTriangle,
    tone: "warning",
    title: `${counted(short.length, "reward", { more: unread })} low on stock`,
    about: [...names, ...(others > 0 ? [`${formatCount(others)} more`] : [])].join("; "),
    link:
      short.length === 1 && !unread
        ? { to: "/rewards/$rewardId", params: { rewardId: first.reward.id } }
        : { to: "/rewards", search: { view: "table", per_page: limits.perPage.max, sort: "stock" } },
    label: "Rewards",
  }
}

function isShort({ status, stock }: Reward): boolean {
  return stock !== null && stock !== undefined && stock <= lowStock && status?.toLowerCase() !== "inactive"
}
