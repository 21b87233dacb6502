import { describe, expect, it } from "vitest"
import { newsOf, progressOf } from "./job-notices.tsx"

type Seen = Parameters<typeof newsOf>[0]

function seen(fields: Partial<Seen>): Seen {
  const counts = {
    planned: 0,
    sent: 0,
    confirmed: 10,
    failed: 0,
    unknown: 0,
    absent: 0,
    conflict: 0,
    excluded: 0,
  }
  return { id: "J-1", state: "running", attention: 0, pause: null, total: 10, counts, ...fields }
}

describe("what is worth telling about a job", () => {
  it.each<[string, Partial<Seen>, Partial<Seen>, string | undefined]>([
    ["its end", {}, { state: "done" }, "done"],
    ["a row that only a person can settle", {}, { attention: 1 }, "asks"],
    ["such a row at its end", {}, { state: "done", attention: 1 }, "asks"],
    [
      "a pause by the service",
      {},
      { state: "paused", pause: { code: "unauthorized", message: "" } },
      "paused",
    ],
    [
      "no pause that a person made",
      {},
      { state: "paused", pause: { code: "paused_by_person", message: "" } },
      undefined,
    ],
    ["no end by cancelling", {}, { state: "cancelled" }, undefined],
    ["no end of one row from a form", { total: 1 }, { total: 1, state: "done" }, undefined],
    ["no end of the ship desk's job", {}, { closes_at: "2026-11-20T13:00:00Z", state: "done" }, undefined],
    ["no decision that was made", { attention: 2 }, { attention: 1 }, undefined],
    ["nothing twice", { state: "done" }, { state: "done" }, undefined],
  ])("%s", (_name, before, now, news) => {
    expect(newsOf(seen(before), seen(now))).toBe(news)
  })
})

describe("how much of the jobs is done together", () => {
  const counts = (planned: number) => ({ ...seen({}).counts, planned })

  it("is not known before anything was read", () => {
    expect(progressOf([])).toBeUndefined()
  })

  it("counts rows, not jobs", () => {
    expect(
      progressOf([seen({ total: 100, counts: counts(100) }), seen({ total: 300, counts: counts(0) })]),
    ).toBe(75)
  })

  it("never reads 100 % while a row is open", () => {
    expect(progressOf([seen({ total: 10_000, counts: counts(1) })])).toBe(99)
  })
})
