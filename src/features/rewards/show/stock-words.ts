import { IconAlertTriangle, IconInfinity, IconPackageOff, IconPackages, type Icon } from "@tabler/icons-react"
import { formatCount } from "../../../lib/format.ts"
import { lowStock } from "../../../lib/low-stock.ts"

/** How a reward's stock stands. `low` asks for a person. */
export interface StockWord {
  readonly icon: Icon
  readonly level: "unlimited" | "enough" | "low" | "none"
  readonly word: string
}

/**
 * A reward's stock in words; undefined when the service did not say it.
 * @param stock pieces left; null is unlimited (docs/api/program.md, Reward)
 */
export function stockWord(stock: number | null | undefined): StockWord | undefined {
  if (stock === undefined) return undefined
  if (stock === null) return { icon: IconInfinity, level: "unlimited", word: "Unlimited" }
  if (stock <= 0) return { icon: IconPackageOff, level: "none", word: "Out of stock" }
  return stock <= lowStock
    ? { icon: IconAlertTriangle, level: "low", word: `${formatCount(stock)} left` }
    : { icon: IconPackages, level: "enough", word: `${formatCount(stock)} in stock` }
}

/** "2 low, 1 out of stock" among rewards; undefined when there is nothing to say. */
export function stockSummary(
  rewards: readonly { readonly stock?: number | null | undefined }[],
): string | undefined {
  const levels = rewards.map(({ stock }) => stockWord(stock)?.level)
  const low = levels.filter((level) => level === "low").length
  const none = levels.filter((level) => level === "none").length
  const parts = [
    low > 0 && `${formatCount(low)} low`,
    none > 0 && `${formatCount(none)} out of stock`,
  ].filter(Boolean)
  return parts.length === 0 ? undefined : parts.join(", ")
}
