/** The day in the program's time zone: `Saturday 21 November`. */
export function todayWords(now: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-AU", {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
  })
  const part = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]))
  return `${part.get("weekday")} ${part.get("day")} ${part.get("month")}`
}
