import type { HeldPermits, WindowUse } from "../ports.ts"

/** Waiting in order, and in turn between people: one person's burst does not hold the others up. */
export function createFairQueue<T extends { readonly who: string }>() {
  // People in turn order; a Map keeps the order in which they were put in.
  const people = new Map<string, T[]>()

  function remove(item: T): T[] | undefined {
    const own = people.get(item.who)
    const at = own?.indexOf(item) ?? -1
    if (own === undefined || at < 0) return undefined
    own.splice(at, 1)
    if (own.length === 0) people.delete(item.who)
    return own
  }

  return {
    push(item: T): void {
      const own = people.get(item.who)
      if (own === undefined) people.set(item.who, [item])
      else own.push(item)
    },
    heads: (): readonly T[] => [...people.values()].flatMap(([first]) => first ?? []),
    /** Takes one out that was served; that person's next one waits until everybody else had a turn. */
    served(item: T): void {
      const left = remove(item)
      if (left === undefined || left.length === 0) return
      people.delete(item.who)
      people.set(item.who, left)
    },
    remove: (item: T) => void remove(item),
    size: () => [...people.values()].reduce((sum, own) => sum + own.length, 0),
  }
}

/** Background work takes a fifteenth of a minute's permits in a fifteenth of a minute: whoever comes finds one soon. */
const spreadParts = 15
const spreadMs = 60_000 / spreadParts
/** Part of the rate that stays free, evenly spread, for those who took less than the one who asks. */
const rateForOthers = 2 / 3
/** Whoever took this part of a window's permits leaves all of it; whoever took less leaves accordingly less. */
const heavyPart = 1 / 4
/** Permits that such a person leaves free at any moment, as a part of the limit: a page of somebody else's. */
const instantPart = 1 / 12
/** Limits below this have no sixth to give to jobs. */
const leastSharedLimit = 6
/** A job's next permit is kept free from so long before it is due, ms. */
const keptBeforeMs = 1000

/** Permits that background work leaves free while people are about. */
export function keptFree(limit: number): number {
  return Math.ceil(limit / 6)
}

/** ms until a job goes before people: a fifth of the rate, so that a sixth is reached with the wait for a permit. */
function jobEveryMs(limit: number): number {
  return limit < leastSharedLimit ? Infinity : 300_000 / limit
}

/**
 * The rule of sharing (docs/budget.md, Shares). Permits come back one window after they were taken:
 * whoever took much may take another one only if at every later moment enough would be left for those who took less,
 * and for a job.
 */
export function sharesOf(
  { free, recentUse: held }: WindowUse,
  { limit, windowMs, jobWaits }: { limit: number; windowMs: number; jobWaits: boolean },
) {
  const own = new Map<string, number>()
  const jobs = held.filter(({ lane }) => lane === "jobs")
  for (const { lane, who, permits } of held) {
    if (lane === "people") own.set(who, (own.get(who) ?? 0) + permits)
  }
  const ago = ({ freeInMs }: HeldPermits) => windowMs - freeInMs
  const recent = jobs.filter((one) => ago(one) < spreadMs)
  const everyMs = jobEveryMs(limit)
  const lastJobAgo = Math.min(windowMs, ...jobs.map(ago))
  const jobDueIn = everyMs - lastJobAgo
  const jobAsks = everyMs < Infinity && (jobWaits || lastJobAgo < 2 * everyMs)

  /** ms until a permit may be taken by somebody who leaves `now` permits, and later `later` and `part` of the rate. */
  function fitsIn(leave: { part: number; now: number; later: number }, jobToo: boolean): number {
    const perMs = (leave.part * rateForOthers * limit) / windowMs + (jobToo ? 1 / everyMs : 0)
    const nextJob = jobToo && jobDueIn <= keptBeforeMs ? 1 : 0
    let left = free - 1
    if (left < leave.now + nextJob) return Infinity
    let shortBy = 0
    for (const { freeInMs, permits } of held) {
      shortBy = Math.max(shortBy, leave.later + perMs * freeInMs - left)
      left += permits
    }
    return shortBy > 0 ? shortBy / perMs : 0
  }

  function job(peopleForMs: number): number {
    const spread = recent.reduce((sum, { permits }) => sum + permits, 0) >= Math.ceil(limit / spreadParts)
    if (spread) return spreadMs - Math.max(...recent.map(ago))
    if (peopleForMs <= 0) return free > 0 ? 0 : Infinity
    const leave = { part: 1, now: keptFree(limit), later: instantPart * limit }
    return Math.min(peopleForMs, fitsIn(leave, jobAsks))
  }

  return {
    /** 0 when a person may take a permit now, else the ms after which asking again makes sense. */
    person(who: string): number {
      const most = Math.max(heavyPart * limit, ...own.values())
      // Squared, so that those in the middle are hardly held up for those who took nothing yet.
      const part = ((own.get(who) ?? 0) / most) ** 2
      const instant = part * instantPart * limit
      return fitsIn({ part, now: instant, later: instant }, jobAsks)
    },
    /** The same for a job, while people still count as being about for `peopleForMs`. */
    job(peopleForMs: number): number {
      if (free <= 0) return Infinity
      return jobDueIn <= 0 ? 0 : Math.min(jobDueIn, job(peopleForMs))
    },
    /** Background work goes before people now: it is to have a sixth of the rate, whatever people ask for. */
    jobDue: free > 0 && jobDueIn <= 0,
    taken: (who: string) => own.get(who) ?? 0,
  }
}

/** With so many permits free, or more, `person` is 0 for anybody, whoever holds the others; may be over the limit. */
export function leastFreeForAnyone({ limit, windowMs }: { limit: number; windowMs: number }): number {
  for (let free = limit; free > 0; free -= 1) {
    const part = Math.min(1, (limit - free) / (heavyPart * limit)) ** 2
    const inWindow = part * rateForOthers * limit + windowMs / jobEveryMs(limit)
    if (free - 1 < part * instantPart * limit + Math.max(1, inWindow)) return free + 1
  }
  return 1
}
