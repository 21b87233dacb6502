import { secondsFor } from "../../contract/limits.ts"
import type { Api } from "../../contract/response.ts"
import { useRequestBudget } from "./request-budget.ts"
import { once } from "./once.ts"
import { duration } from "./time.ts"

const grouped = new Intl.NumberFormat("en-AU", { maximumFractionDigits: 0 })

/** The true minus, U+2212: as wide as a plus, so signed columns stay aligned. */
const minus = "\u2212"

/** A whole number with grouped thousands and no unit: `12,480`. Points are integers; a balance may be negative. */
export function formatPoints(points: number): string {
  return points < 0 ? minus + grouped.format(-points) : grouped.format(points)
}

const compact = once(() => new Intl.NumberFormat("en-AU", { notation: "compact", maximumFractionDigits: 2 }))

/** Points on an axis: `25k`, `1.25m`, `500`. */
export function shortPoints(points: number): string {
  return compact().format(points).toLowerCase()
}

/** A change in points with its sign: `+1,250`, `−300`, and a plain `0`. */
export function formatSigned(points: number): string {
  return points > 0 ? `+${grouped.format(points)}` : formatPoints(points)
}

/** A count, grouped like points; counts are never negative. */
export function formatCount(count: number): string {
  return grouped.format(count)
}

/** Cents as money with two decimals: `$100.00`. The currency code (ISO 4217) is shown once per screen, not here. */
export function formatMoney(cents: number, currency: string): string {
  const money = new Intl.NumberFormat("en-AU", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return cents < 0 ? minus + money.format(-cents / 100) : money.format(cents / 100)
}

const units = ["bytes", "KB", "MB", "GB"]

/** A size in powers of 1,000: `512 bytes`, `1.4 KB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits)} ${units[unit] ?? "bytes"}`
}

/** A count with its noun: `1 order`, `14 orders`, `2 entries`; with `more`, a lower bound: `100+ orders`. */
export function counted(count: number, noun: string, { more = false }: { more?: boolean } = {}): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${formatCount(count)}${more ? "+" : ""} ${count === 1 && !more ? noun : plural}`
}

/** A list in a sentence: `Ana, Ben and Carla`. */
export function listed(words: readonly string[]): string {
  return new Intl.ListFormat("en-AU", { type: "conjunction" }).format(words)
}

/** Dollars as typed: `50`, `$50`, `1,250.50`; NaN for anything else, without rounding. */
export function readDollars(text: string): number {
  const plain = text.trim().replace(/^\$\s?/, "")
  const grouped = /^(?:\d+|\d{1,3}(?:[,\s\u00A0\u202F]\d{3})+)(?:\.\d{1,2})?$/
  return grouped.test(plain) ? Number(plain.replaceAll(/[,\s\u00A0\u202F]/g, "")) : Number.NaN
}

/** Dollars as whole cents. */
export function centsOf(dollars: number): number {
  return Math.round(dollars * 100)
}

/** A service's text as a sentence: adds a full stop unless it ends with punctuation. */
export function asSentence(words: string): string {
  const text = words.trim()
  return text === "" || /[.!?:…]$/.test(text) ? text : `${text}.`
}

/** Capitalises the first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Shorter waits, in seconds, are not announced. */
const shortWait = 3

/**
 * How long upstream requests take at the rate of the key: `about 35 s`. Empty up to 3 s. The only source of estimates,
 * so the same work always has the same figure.
 */
export function timeNeeded(
  requests: number,
  lane: "people" | "jobs" = "people",
  api: Api = "program",
): string {
  const seconds = secondsFor(requests, useRequestBudget.getState().limits[api], lane)
  return seconds <= shortWait ? "" : `about ${duration(seconds * 1000)}`
}

/** An estimate as a sentence before others: `About 35 s. `; empty if there is none. */
export function timeSentence(time: string): string {
  return time === "" ? "" : `${capital(time)}. `
}

/** A label with its estimate: `Load them (about 35 s)`. */
export function withTime(label: string, time: string): string {
  return time === "" ? label : `${label} (${time})`
}
