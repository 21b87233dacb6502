import { formatPoints } from "../../lib/format.ts"
import type { Reading } from "../recipes/recipe.ts"
import { withoutCurrency, type NumberStyle } from "./number-style.ts"
import { numberParts } from "./whole-number.ts"

/** Largest amount of one card, in dollars. */
const most = 1_000_000

/**
 * Reads an amount of money in dollars as spreadsheets write it: `50`, `$50.00`, `1,250.50`. Nothing is rounded: more
 * than two decimals are refused in words.
 */
export function readDollars(text: string, style: NumberStyle): Reading {
  const parts = numberParts(withoutCurrency(text), style)
  if ("problem" in parts) return parts
  if (/[1-9]/.test(parts.decimals.slice(2))) return { problem: "At most two decimals" }
  const value = Number(`${parts.whole}.${parts.decimals.slice(0, 2) || "0"}`)
  if (parts.minus && value > 0) return { problem: "Enter it without the minus sign" }
  if (value > most) return { problem: `At most ${formatPoints(most)}` }
  return value > 0 ? { value } : { problem: "Must be more than 0" }
}
