import { describe, expect, it, onTestFinished } from "vitest"
import * as z from "zod/mini"
import { report as reportSchema, type Report } from "../../contract/reports.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpJob, madeUpRow, makerOf } from "../../tests/support/made-up-jobs.ts"
import { madeUpMember } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import type { CardRecord } from "../../contract/cards.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import { noOrderProgress, noProgress } from "../copy/copy-store.ts"

const members = [
  madeUpMember("mem_1", { company: "Acme", points_balance: 150 }),
  madeUpMember("mem_2", { company: "Acme Pty Ltd", tier: "Silver", points_balance: 60 }),
]
const entry = (id: string, type: string, points: number, day: string, reason: string | null = null) => ({
  transaction_id: id,
  type,
  points,
  reason,
  created_at: `${day}T02:00:00Z`,
})
const ledgers = {
  mem_1: [entry("t1", "award", 100, "2026-10-31"), entry("t2", "award", 50, "2026-11-02", "Sales")],
  mem_2: [
    entry("t1", "award", 80, "2026-11-03", "Sales"),
    entry("t2", "redeem", -20, "2026-11-04"),
    entry("t3", "deduct", -80, "2026-11-05", "Correction"),
    entry("t4", "award", 80, "2026-11-06"),
  ],
}

/** Two members; of the second one Laurel awarded `t1` and took it back with `t3`. */
async function kit({ complete = true, read = true, copied = true } = {}) {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  const asOf = clock.now() - 60_000
  await copy.members.put(members.map((record) => ({ record, asOf })))
  const syncedAt = complete ? asOf : null
  await copy.members.setProgress({ ...noProgress, complete, syncedAt, total: 10_000 })
  if (read) {
    for (const [id, entries] of Object.entries(ledgers))
      await copy.ledgers.put(
        id,
        entries.map((record) => ({ record, asOf })),
      )
    const state = { readFrom: asOf, balance: 150, memberBalance: 150, misses: 0, dueAt: asOf }
    await copy.ledgers.setState("mem_1", asOf, state)
  }
  const app = createTestKit({ clock, ...(copied && { copy }) })
  onTestFinished(() => app.app.stop())
  const { jobs } = app.store
  const award = await jobs.create(madeUpJob({ createdBy: makerOf("ana") }), [
    madeUpRow({ memberId: "mem_2", points: 80, reason: "Sales" }),
    madeUpRow({ memberId: "mem_1", points: 50, reason: "Sales" }),
  ])
  if (typeof award === "string") throw new Error(award)
  const back = await jobs.create(madeUpJob({ kind: "deduct", reverses: award.job.id }), [
    madeUpRow({ memberId: "mem_2", points: -80, reverses: { job: award.job.id, row: 1 } }),
  ])
  if (typeof back === "string") throw new Error(back)
  const confirm = (id: string, row: number, upstreamId: string) =>
    jobs.changeRows(id, [
      { row, from: ["planned"], set: { state: "sent" } },
      { row, from: ["sent"], set: { state: "confirmed", confirmedAt: clock.now(), upstreamId } },
    ])
  await confirm(award.job.id, 1, "t1")
  await confirm(award.job.id, 2, "t2")
  await confirm(back.job.id, 1, "t3")
  const ask = async (query: string, role?: "viewer"): Promise<Report> => {
    const { body } = await app.ask(`GET /reports/ledgers${query}`, role && { role })
    return z.object({ data: reportSchema }).parse(body).data
  }
  return { ...app, ask, raw: app.ask, copy, confirm }
}

const november = "from=2026-11-01&to=2026-11-30"
const short = ({ rows }: Report, ...figures: string[]) =>
  rows.map(({ label, values }) => [label, ...figures.map((name) => values[name])])

describe("the points report", () => {
  it("sums entries by month without what Laurel took back, and costs the service nothing", async () => {
    const { ask, upstream } = await kit()
    const { rows, total, source, coverage, period } = await ask("?from=2026-10-01&to=2026-11-30")
    expect(rows.map(({ group, values }) => [group, values])).toEqual([
      ["2026-10", { awarded: 100, redeemed: 0, deducted: 0, expired: 0, adjusted: 0, net: 100, entries: 1 }],
      ["2026-11", { awarded: 130, redeemed: 20, deducted: 0, expired: 0, adjusted: 0, net: 110, entries: 3 }],
    ])
    expect([source, total["awarded"], total["entries"]]).toEqual(["copy", 230, 4])
    expect(period).toEqual({ from: "2026-10-01", to: "2026-11-30" })
    expect(coverage).toMatchObject([{ of: "ledgers", read: 1, total: 2, complete: false }])
    expect(upstream.calls).toEqual([])
  })

  it("leaves out points that a merge moved from one member to another", async () => {
    const { ask, store, confirm, copy, clock } = await kit()
    const before = (await ask(`?${november}`)).total
    const merge = await store.jobs.create(madeUpJob({ kind: "member-merge" }), [
      madeUpRow({ memberId: "mem_2", points: -80 }),
    ])
    if (typeof merge === "string") throw new Error(merge)
    const award = await store.jobs.create(madeUpJob({ kind: "award", reverses: merge.job.id }), [
      madeUpRow({ memberId: "mem_1", points: 80, reverses: { job: merge.job.id, row: 1 } }),
    ])
    if (typeof award === "string") throw new Error(award)
    const moved = {
      mem_2: entry("from", "deduct", -80, "2026-11-08"),
      mem_1: entry("to", "award", 80, "2026-11-08"),
    }
    for (const [id, record] of Object.entries(moved))
      await copy.ledgers.put(id, [{ record, asOf: clock.now() }])
    expect((await ask(`?${november}`)).total).not.toEqual(before)
    await confirm(merge.job.id, 1, "from")
    await confirm(award.job.id, 1, "to")
    expect((await ask(`?${november}`)).total).toEqual(before)
  })

  it("compares with the period before by place, and by name", async () => {
    const { ask } = await kit()
    const byMonth = await ask(`?${november}&compare=before`)
    expect(byMonth.before).toEqual({ from: "2026-10-01", to: "2026-10-31" })
    expect(byMonth.rows.map(({ before }) => before?.["awarded"])).toEqual([100])
    const byCompany = await ask(`?${november}&compare=before&by=company`)
    expect(
      byCompany.rows.map(({ label, values, before }) => [label, values["awarded"], before?.["awarded"]]),
    ).toEqual([
      ["Acme Pty Ltd", 80, 0],
      ["Acme", 50, 100],
    ])
    expect(byCompany.total_before).toMatchObject({ awarded: 100 })
  })

  it("adds up merged companies, and filters by every name of one", async () => {
    const { ask, raw } = await kit()
    await raw("PUT /companies/Acme%20Pty%20Ltd/merge", { body: { into: "Acme" } })
    expect(short(await ask(`?${november}&by=company`), "awarded")).toEqual([["Acme", 130]])
    expect(short(await ask(`?${november}&by=reason&company=acme%20pty%20ltd`), "awarded")).toEqual([
      ["", 80],
      ["Sales", 50],
    ])
    expect((await ask(`?${november}&tier=silver`)).total).toMatchObject({ awarded: 80, redeemed: 20 })
  })

  it("says who awarded from Laurel’s own jobs, to those who may see it", async () => {
    const { ask, raw } = await kit()
    expect(short(await ask("?by=person&source=laurel"), "awarded", "entries")).toEqual([["ana", 50, 1]])
    const refused = await raw("GET /reports/ledgers?by=person&source=laurel", { role: "viewer" })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } })
    expect(JSON.stringify(await ask("?by=reason&source=laurel", "viewer"))).not.toContain("ana")
    expect((await raw("GET /reports/ledgers?by=person&type=award")).status).toBe(400)
    expect((await raw("GET /reports/ledgers?by=tier&source=laurel")).status).toBe(400)
  })

  it("before ledgers are read shows what Laurel did, and how far the copy is", async () => {
    const { ask } = await kit({ complete: false, read: false })
    const coverage = [
      { of: "members", read: 2, total: 10_000, complete: false },
      { of: "ledgers", read: 0, total: 2 },
    ]
    expect(await ask("?by=reason")).toMatchObject({ source: "laurel", total: { awarded: 50 }, coverage })
    expect(await ask("?by=company")).toMatchObject({ source: "off", coverage })
  })

  it("with SYNC=off is Laurel’s own, and off where only the copy knows", async () => {
    const { ask } = await kit({ copied: false })
    expect(await ask("?by=reason")).toMatchObject({ source: "laurel", total: { awarded: 50 } })
    expect(await ask("?by=tier")).toMatchObject({ source: "off", rows: [] })
  })
})

const orderOf = (id: string, fields: object) => ({
  order_id: id,
  member_id: "mem_1",
  reward_id: "rew_1",
  reward_name: "Kit",
  points_spent: 500,
  fulfillment: { type: "physical" as const },
  ...fields,
})

/** Orders of November 2026; it is the 20th. */
async function orderKit() {
  const app = await kit()
  const at = app.clock.now()
  expect(dayAt(at, "Australia/Brisbane")).toBe("2026-11-20")
  const orders = [
    orderOf("o1", {
      status: "shipped",
      created_at: "2026-11-02T00:00:00Z",
      shipped_at: "2026-11-03T00:00:00Z",
    }),
    orderOf("o2", {
      status: "completed",
      created_at: "2026-11-02T00:00:00Z",
      shipped_at: "2026-11-05T00:00:00Z",
    }),
    orderOf("o3", { status: "cancelled", created_at: "2026-11-06T00:00:00Z" }),
    orderOf("o4", { status: "pending", created_at: "2026-11-16T12:00:00Z" }),
    orderOf("o5", { status: "processing", created_at: "2026-11-16T15:00:00Z" }),
  ]
  await app.copy.orders.put(
    orders.map((record) => ({ record, asOf: at - 1000 })),
    "one",
  )
  await app.copy.orders.setProgress({ ...noOrderProgress, complete: true, syncedAt: at - 1000 })
  const read = async (line: string): Promise<Report> =>
    z.object({ data: reportSchema }).parse((await app.raw(`GET /reports/${line}`)).body).data
  return { ...app, read }
}

const days = (count: number) => count * 86_400_000

describe("reports of orders", () => {
  it("count redemptions, cancelled ones apart", async () => {
    const { read, upstream } = await orderKit()
    expect(await read(`rewards?${november}`)).toMatchObject({
      rows: [
        {
          group: "rew_1",
          label: "Kit",
          values: { orders: 4, points: 2000, cancelled: 1, cancelled_points: 500 },
        },
      ],
      coverage: [{ of: "orders", read: 5, complete: true }],
    })
    expect(upstream.calls).toEqual([])
  })

  it("time shipping by nearest rank, with one total for all, and count late orders by calendar days", async () => {
    const { read } = await orderKit()
    const { rows, total } = await read("fulfilment?from=2026-10-01&to=2026-11-30&late_days=3")
    expect(rows).toMatchObject([
      { group: "2026-10", values: { shipped: 0, median: null, p90: null } },
      { group: "2026-11", values: { shipped: 2, median: days(1), p90: days(3) } },
    ])
    // In Brisbane one was placed on the 16th, the other on the 17th.
    expect(total).toEqual({ shipped: 2, median: days(1), p90: days(3), open: 2, late: 1 })
    expect((await read("fulfilment?late_days=2")).total).toMatchObject({ late: 2 })
  })
})

describe("reports of members", () => {
  it("count members by their last entry or order, without ledgers that were not read", async () => {
    const { read } = await orderKit()
    expect(await read("activity?by=tier")).toMatchObject({
      period: null,
      rows: [
        { label: "Gold", values: { members: 1, d30: 1, unread: 0 } },
        { label: "Silver", values: { members: 1, d30: 0, unread: 1 } },
      ],
      total: { members: 2, d30: 1, never: 0, unread: 1 },
    })
  })

  it("show outstanding points of days that have a snapshot, and a gap for the others", async () => {
    const { read, store } = await kitWithDays()
    const byDay = await read("outstanding?by=day&from=2026-11-01&to=2026-11-04")
    expect(byDay.rows.map(({ values }) => values["points"])).toEqual([100, null, null, 130])
    expect(byDay.total).toEqual({ points: 130, members: 2, change: 30 })
    expect(byDay.coverage).toMatchObject([{ of: "days", read: 2, total: 4, complete: false }])
    const byMonth = await read("outstanding?from=2026-10-01&to=2026-11-30&compare=before")
    expect(byMonth.rows.map(({ group, values }) => [group, values["points"]])).toEqual([
      ["2026-10", 90],
      ["2026-11", 130],
    ])
    expect(byMonth.total_before).toEqual({ points: null, members: null, change: null })
    expect(await store.books.days("2026-11-02", "2026-11-03")).toEqual([])
  })

  async function kitWithDays() {
    const app = await orderKit()
    const add = (day: string, points: number) =>
      app.store.books.addDay({
        day,
        at: Date.parse(day),
        members: 2,
        points,
        withoutBalance: 0,
        ledgersRead: 1,
      })
    await add("2026-10-31", 90)
    await add("2026-11-01", 100)
    await add("2026-11-04", 130)
    return app
  }
})

describe("the report of gift cards", () => {
  it("is of the register, with the templates’ names, and without a copy", async () => {
    const app = createTestKit()
    onTestFinished(() => app.app.stop())
    await app.store.settings.put("cardTemplates", {
      templates: [{ id: "card_a", name: "Visa", denominations: [50] }],
      default: null,
    })
    await app.store.cards.add(registered("gc_1", app.clock.now()))
    const read = async (line: string) =>
      z.object({ data: reportSchema }).parse((await app.ask(`GET /reports/${line}`)).body).data
    const { rows, total } = await read(`gift-cards?${november}&by=template`)
    expect(rows).toMatchObject([
      { group: "card_a", label: "Visa", values: { cents: 5000, cards: 1, tests: 0 } },
    ])
    expect(total).toEqual({ cents: 5000, cards: 1, tests: 0, expiring: 1, expiring_cents: 5000 })
    expect((await read("gift-cards?expiring_days=5")).total).toMatchObject({ expiring: 0 })
    expect((await app.ask("GET /reports/gift-cards", { role: "fulfilment" })).status).toBe(403)
  })
})

function registered(id: string, now: number): CardRecord {
  return {
    id,
    origin: "issued",
    status: "issued",
    template: "card_a",
    amount_cents: 5000,
    reference: id,
    own_reference: null,
    member: { id: "mem_1", email: null, name: null, created: null },
    is_test: false,
    issued_at: new Date(now - 1000).toISOString(),
    expires_at: new Date(now + days(10)).toISOString(),
    job: null,
    by: { id: "usr_1", name: "Helen Park" },
    replayed: null,
    message: null,
    looked_up_at: null,
  }
}
