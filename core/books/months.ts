import { addMonths, dayAt, startOfDay } from "../../contract/zoned-days.ts"

/** A month of the program's time zone; `to` is no part of it. */
export interface Month {
  readonly month: string
  /** ms since 1970. */
  readonly from: number
  readonly to: number
}

/** The month that it is at a moment given in ms: `2026-11`. */
export function monthAt(at: number, timeZone: string): string {
  return dayAt(at, timeZone).slice(0, 7)
}

export function nextMonth(month: string): string {
  return addMonths(month, 1).slice(0, 7)
}

export function monthBefore(month: string): string {
  return addMonths(month, -1).slice(0, 7)
}

export function monthOf(month: string, timeZone: string): Month {
  const [from, to] = [month, nextMonth(month)].map((each) => startOfDay(`${each}-01`, timeZone))
  return { month, from: from ?? 0, to: to ?? 0 }
}

/** Every month from one to another, both included. */
export function monthsBetween(first: string, last: string, timeZone: string): Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = nextMonth(month)) months.push(monthOf(month, timeZone))
  return months
}
