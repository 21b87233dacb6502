import { afterEach, describe, expect, it } from "vitest"
import { useRequestBudget } from "./request-budget.ts"
import { timeNeeded } from "./format.ts"
import {
  ago,
  browserTime,
  duration,
  exact,
  isoDayOf,
  isSameDay,
  learnServerTime,
  onDay,
  serverTime,
  shortDay,
  showTimesIn,
  timeOfDay,
} from "./time.ts"

/** Midday, so that the same calendar day is reached in every zone the tests run in. */
const now = new Date(2026, 10, 21, 12, 0, 0).getTime()
const before = (ms: number) => now - ms
const minute = 60_000
const hour = 60 * minute

describe("ago", () => {
  it.each([
    [0, "just now"],
    [12_000, "12 s ago"],
    [59_999, "59 s ago"],
    [35 * minute, "35 min ago"],
    [3 * hour, "3 h ago"],
    [23.9 * hour, "23 h ago"],
    [25 * hour, "Yesterday 11:00"],
    [3 * 24 * hour, "18 Nov"],
    [368 * 24 * hour, "18 Nov 2025"],
  ])("%i ms before now", (age, words) => {
    expect(ago(before(age), now)).toBe(words)
  })

  it("treats a slightly future time as now, because clocks differ", () => {
    expect(ago(now + 30_000, now)).toBe("just now")
  })

  it("shows an invalid date as received", () => {
    expect(ago("soon", now)).toBe("soon")
    expect(exact("soon")).toBe("soon")
  })
})

describe("onDay", () => {
  it.each([
    [18 * minute, "Today 11:42"],
    [11.5 * hour, "Today 00:30"],
    [20 * hour, "Yesterday 16:00"],
    [3 * 24 * hour, "18 Nov"],
    [368 * 24 * hour, "18 Nov 2025"],
  ])("%i ms before now", (age, words) => {
    expect(onDay(before(age), now)).toBe(words)
  })
})

describe("days", () => {
  it("have three-letter months the whole year round", () => {
    const days = Array.from({ length: 12 }, (_, month) => shortDay(new Date(2026, month, 5), now))
    expect(days.every((day) => /^5 [A-Z][a-z]{2}$/.test(day))).toBe(true)
  })
})

describe("exact", () => {
  it("names day, time to the second and zone", () => {
    expect(exact(new Date(2026, 10, 21, 10, 42, 7))).toMatch(/^21 Nov 2026, 10:42:07 \S+$/)
  })
})

describe("durations and costs", () => {
  it.each([
    [210, "210 ms"],
    [1_800, "1.8 s"],
    [4_000, "4 s"],
    [9_960, "10 s"],
    [235_000, "3 min 55 s"],
    [500_000, "8 min 20 s"],
    [7_500_000, "2 h 5 min"],
    [3_600_000, "1 h"],
  ])("%i ms", (ms, words) => {
    expect(duration(ms)).toBe(words)
  })

  it("an estimate names the time and never the requests; up to 3 s it is empty", () => {
    expect([0, 1, 3, 5, 500].map((requests) => timeNeeded(requests))).toEqual([
      "",
      "",
      "",
      "about 5 s",
      "about 8 min 20 s",
    ])
  })

  it("background work is estimated by its share of the budget, at the key's limit", () => {
    expect(timeNeeded(500, "jobs")).toBe("about 10 min")
    useRequestBudget.setState({ limits: { program: 300, giftcard: 60 } })
    expect(timeNeeded(500, "jobs")).toBe("about 2 min")
    expect(timeNeeded(500, "jobs", "giftcard")).toBe("about 10 min")
    useRequestBudget.setState({ limits: { program: 60, giftcard: 60 } })
  })
})

describe("every time and day on screen", () => {
  afterEach(() => showTimesIn(Intl.DateTimeFormat().resolvedOptions().timeZone))

  it.each([
    ["Australia/Brisbane", "Today 02:18", "23 Nov"],
    ["America/New_York", "Today 11:18", "22 Nov"],
  ])("is in the program's zone, in any zone of the browser: %s", (zone, today, day) => {
    showTimesIn(zone)
    const at = "2026-11-22T16:18:09Z"
    expect(onDay(at, Date.parse("2026-11-22T16:30:00Z"))).toBe(today)
    expect(shortDay(at, Date.parse(at))).toBe(day)
    expect(exact(at)).toContain(`${day} 2026, ${timeOfDay(at)}:09`)
  })

  it("changes its day at the program's midnight", () => {
    showTimesIn("Australia/Brisbane")
    const [before, after] = [Date.parse("2026-11-22T13:59:00Z"), Date.parse("2026-11-22T14:01:00Z")]
    expect(isSameDay(before, after)).toBe(false)
    expect(onDay(before, after)).toBe("Yesterday 23:59")
  })

  it("names files by the program's day", () => {
    const at = Date.parse("2026-11-22T14:01:00Z")
    showTimesIn("Australia/Brisbane")
    expect(isoDayOf(at)).toBe("2026-11-23")
    showTimesIn("America/New_York")
    expect(isoDayOf(at)).toBe("2026-11-22")
  })

  it("keeps the zone if the platform does not know the new one", () => {
    showTimesIn("Australia/Brisbane")
    showTimesIn("Nowhere/Never")
    expect(timeOfDay("2026-11-22T16:18:09Z")).toBe("02:18")
  })
})

describe("the server's time", () => {
  const date = (ms: number) => new Date(ms).toUTCString()
  afterEach(() => learnServerTime(date(now), now))

  it.each([
    ["behind", -2 * hour],
    ["ahead", 2 * hour],
  ])("is used where the browser's clock is hours %s: now never reads as hours ago", (_, off) => {
    const browserNow = now + off
    learnServerTime(date(now), browserNow)
    expect(serverTime(browserNow)).toBe(now)
    expect(browserTime(now)).toBe(browserNow)
    expect(ago(new Date(now).toISOString(), serverTime(browserNow))).toBe("just now")
  })

  it("is the browser's while both agree within a minute, and is kept when a response has no usable date", () => {
    learnServerTime(date(now + 30_000), now)
    expect(serverTime(now)).toBe(now)
    learnServerTime(date(now + hour), now)
    learnServerTime(null, now)
    learnServerTime("soon", now)
    expect(serverTime(now)).toBe(now + hour)
  })
})
