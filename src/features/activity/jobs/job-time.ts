import { isSameDay, millis, shortDay, timeToSecond, type Moment } from "../../../lib/time.ts"

/** A moment of a job to the second: `10:42:07` today, `18 Nov, 10:42:07` on another day. */
export function clockTime(at: Moment, now: number): string {
  const ms = millis(at)
  if (Number.isNaN(ms)) return String(at)
  const time = timeToSecond(ms)
  return isSameDay(ms, now) ? time : `${shortDay(ms, now)}, ${time}`
}
