import { millis, shortDay, type Moment } from "../../../lib/time.ts"

const clock = new Intl.DateTimeFormat("en-AU", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
})

/** A moment of a job to the second: `10:42:07` today, `18 Nov, 10:42:07` on another day. */
export function clockTime(at: Moment, now: number): string {
  const ms = millis(at)
  if (Number.isNaN(ms)) return String(at)
  const time = clock.format(ms)
  return new Date(ms).toDateString() === new Date(now).toDateString() ? time : `${shortDay(ms, now)}, ${time}`
}
