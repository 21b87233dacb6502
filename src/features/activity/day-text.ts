import type { DayRange } from "../../list/days-choice.tsx"

const day = new Intl.DateTimeFormat("en-AU", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
})

/** A range of days on a chip: "1 Nov 2026 to 21 Nov 2026", "since …", "until …"; undefined without one. */
export function dayText({ from, to }: DayRange): string | undefined {
  const first = from === undefined ? undefined : day.format(Date.parse(from))
  const last = to === undefined ? undefined : day.format(Date.parse(to))
  if (first === undefined) return last === undefined ? undefined : `until ${last}`
  if (last === undefined) return `since ${first}`
  return first === last ? first : `${first} to ${last}`
}
