import type { HeldPermits, WindowUse } from "../ports.ts"

/** Jobs take at most a fifteenth of the limit in this time, so a person who arrives gets a permit within seconds. */
const spreadMs = 4000

/** The local copy takes at most one permit in this time, ms; with limits above 600 it takes a tenth of them. */
const syncEveryMs = (limit: number) => Math.min(1000, 600_000 / limit)
/** When jobs hold the minute it still gets one in this time, ms. */
const syncDueMs = 30_000
/** So long after the time in which jobs leave room for people, sync still leaves more: five minutes in all, ms. */
const peopleStayMs = 240_000

/** Permits that stay free for people: by jobs while anyone is active, and by those who took much. */
export const reserveOf = (limit: number) => Math.ceil(limit / 6)

/** With this many free, no person holds a quarter of the limit, so anyone may take one. */
export const alwaysFree = (limit: number) => Math.floor((limit * 3) / 4) + 1

/** Who may take the next permit (docs/budget.md, Shares). Times are ms; 0 means now. */
export function sharesOf(
  { free, recentUse }: WindowUse,
  { limit, windowMs }: { limit: number; windowMs: number },
) {
  // A fifth of the rate when it waits, so that a sixth is reached; limits below 6 have no sixth to give.
  const jobEveryMs = limit < 6 ? Infinity : 300_000 / limit
  const ago = ({ freeInMs }: HeldPermits) => windowMs - freeInMs
  const jobs = recentUse.filter(({ lane }) => lane === "jobs")
  const jobDueIn = jobEveryMs - Math.min(windowMs, ...jobs.map(ago))
  const jobRate = 1 / jobEveryMs
  const taken = new Map<string, number>()
  for (const { lane, who, permits } of recentUse)
    if (lane === "people") taken.set(who, (taken.get(who) ?? 0) + permits)
  // Two thirds of the most, so a burst does not slow a steady reader down.
  const heavy = Math.max(limit / 4, (Math.max(0, ...taken.values()) * 2) / 3)

  /** Until one may be taken so that `reserve` are free now, and `rate` permits a ms until the last one comes back. */
  function leaving(reserve: number, rate: number): number {
    let left = free - 1
    if (left < reserve) return Infinity
    let missing = 0
    for (const { freeInMs, permits } of recentUse) {
      missing = Math.max(missing, rate * freeInMs - left)
      left += permits
    }
    return missing > 0 ? missing / rate : 0
  }
  const leavingRoom = () => leaving(reserveOf(limit), (3 / 5) * (limit / windowMs) + jobRate)

  /** Time until that number of permits is free, ms. */
  function untilFree(permits: number): number {
    let left = free
    if (left >= permits) return 0
    for (const one of recentUse) {
      left += one.permits
      if (left >= permits) return one.freeInMs
    }
    return windowMs
  }

  const person = (who: string) =>
    (taken.get(who) ?? 0) < heavy ? leaving(0, jobs.length > 0 ? jobRate : 0) : leavingRoom()

  return {
    person,
    /** For a person who sees an older response meanwhile: a sixth stays free for those who see none, at any instance. */
    update: (who: string) => Math.max(person(who), leaving(Math.floor(limit / 6), 0)),
    /** `peopleForMs`: how much longer people count as active. */
    job(peopleForMs: number): number {
      if (jobDueIn <= 0) return 0
      const recent = jobs.filter((one) => ago(one) < spreadMs)
      const burst = recent.reduce((sum, { permits }) => sum + permits, 0) >= Math.ceil(limit / 15)
      const inMs = burst ? spreadMs - Math.max(...recent.map(ago)) : Math.min(peopleForMs, leavingRoom())
      return Math.max(0, Math.min(jobDueIn, inMs))
    },
    /**
     * For the local copy: what it takes leaves two thirds of the limit free while anyone was active in the last five
     * minutes, half otherwise. `isDue`: it had none for so long that it goes before jobs.
     */
    sync(peopleForMs: number): { readonly inMs: number; readonly isDue: boolean } {
      const last = Math.min(Infinity, ...recentUse.filter(({ lane }) => lane === "sync").map(ago))
      const share = peopleForMs > -peopleStayMs ? limit / 3 : limit / 2
      const spareInMs = Math.max(syncEveryMs(limit) - last, untilFree(limit - Math.floor(share) + 1))
      const reserve = peopleForMs > 0 ? reserveOf(limit) : 0
      const dueInMs = Math.max(syncDueMs - last, untilFree(reserve + 1))
      return { inMs: Math.max(0, Math.min(spareInMs, dueInMs)), isDue: dueInMs <= 0 }
    },
    /** A waiting job goes before people now. */
    jobIsDue: jobDueIn <= 0,
  }
}
