import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Order } from "../../contract/program/order.ts"
import type { Transaction } from "../../contract/program/points.ts"
import { dayAt, dayOfNumber, startOfDay, zoneOffsets } from "../../contract/zoned-days.ts"
import { fold } from "../../core/copy/member-columns.ts"
import type { EntriesQuery, EntriesSum } from "../../core/reports/report-store.ts"
import { createRandom } from "../faults/random.ts"
import { madeUpMember } from "../support/made-up-members.ts"
import type { CopiesUnderTest } from "./copy-suite.ts"

/** Clocks change on 5 April and 4 October 2026. */
const zone = "Australia/Sydney"
const span = { from: startOfDay("2026-03-20", zone), to: startOfDay("2026-04-20", zone) }
const all = { ...span, offsets: zoneOffsets(span.from, span.to, zone), corrections: [] } as const

interface BookedEntry {
  readonly member: { readonly id: string; readonly company: string; readonly tier: string | null }
  readonly entry: Transaction
}

/** Members and entries around the change of clocks, some without a time, a reason or points. */
function madeUpProgram(seed: number): { members: BookedEntry["member"][]; booked: BookedEntry[] } {
  const random = createRandom(seed)
  const companies = ["Acme", "ACME", "Café Nord", "", "Zeta"]
  const members = Array.from({ length: 30 }, (_, at) => ({
    id: `mem_${at}`,
    company: random.pick(companies),
    tier: random.pick(["Gold", "gold", "Silver", null]),
  }))
  const booked = Array.from({ length: 400 }, (_, at): BookedEntry => {
    const type = random.pick(["award", "redeem", "deduct", "expire", "adjust", "Award"])
    const at_ms = span.from + random.integer(-5, 36) * 86_400_000 + random.integer(0, 86_399_999)
    return {
      member: random.pick(members),
      entry: {
        transaction_id: `t${at}`,
        type,
        points: random.pick([random.integer(-500, 500), null]),
        reason: random.pick(["Sales", "sales", "Référence", null]),
        created_at: random.integer(0, 20) === 0 ? null : new Date(at_ms).toISOString(),
      },
    }
  })
  return { members, booked }
}

const groupOf: Readonly<Record<EntriesQuery["by"], (one: BookedEntry) => string>> = {
  day: ({ entry }) => dayAt(Date.parse(String(entry.created_at)), zone),
  type: ({ entry }) => fold(entry.type ?? ""),
  reason: ({ entry }) => fold(entry.reason ?? ""),
  company: ({ member }) => fold(member.company),
  tier: ({ member }) => fold(member.tier ?? ""),
}

/** The same sums, entry by entry. */
function naive(booked: readonly BookedEntry[], query: EntriesQuery): string[] {
  const added = Map.groupBy(query.corrections, ({ memberId, entryId }) => `${memberId} ${entryId}`)
  const sums = new Map<string, { points: number; entries: number }>()
  for (const one of booked) {
    const { member, entry } = one
    const at = Date.parse(String(entry.created_at))
    if (!(at >= query.from && at < query.to)) continue
    if (query.type !== undefined && fold(entry.type ?? "") !== fold(query.type)) continue
    if (query.reason !== undefined && fold(entry.reason ?? "") !== fold(query.reason)) continue
    if (query.tier !== undefined && fold(member.tier ?? "") !== fold(query.tier)) continue
    if (query.company !== undefined && !query.company.map(fold).includes(fold(member.company))) continue
    const corrections = added.get(`${member.id} ${entry.transaction_id}`)
    const more = corrections?.reduce((sum, { points }) => sum + points, 0)
    const points = typeof entry.points === "number" ? entry.points : null
    const key = `${groupOf[query.by](one)}|${fold(entry.type ?? "")}`
    const sum = sums.get(key) ?? { points: 0, entries: 0 }
    sum.points += points === null ? 0 : points + (more ?? 0)
    sum.entries += more !== undefined && (points === null || points + more === 0) ? 0 : 1
    sums.set(key, sum)
  }
  return [...sums].map(([key, { points, entries }]) => `${key}|${points}|${entries}`).toSorted()
}

const asText = (sums: readonly EntriesSum[], by: EntriesQuery["by"]) =>
  sums
    .map(({ group, type, points, entries }) =>
      [by === "day" ? dayOfNumber(Number(group)) : group, type, points, entries].join("|"),
    )
    .toSorted()

const rewards = [
  { id: "rew_kit", name: "Kit", type: "physical", category: "Tools" },
  { id: "rew_code", name: "Code", type: "digital", category: "Codes" },
  { id: "rew_bag", name: "Bag", type: "physical", category: "tools" },
]

/** Orders around the change of clocks; some without a time, a type or a reward. */
function madeUpOrders(seed: number) {
  const random = createRandom(seed)
  return Array.from({ length: 300 }, (_, at) => {
    const created = span.from + random.integer(-5, 36) * 86_400_000 + random.integer(0, 86_399_999)
    const shipped = created + random.integer(0, 9) * 3_600_000 * 11 + random.integer(0, 3)
    const isShipped = random.integer(0, 3) > 0
    const reward = random.pick([...rewards, null])
    const record: Order = {
      order_id: `ord_${at}`,
      member_id: `mem_${random.integer(0, 31)}`,
      ...(reward !== null && { reward_id: reward.id, reward_name: reward.name }),
      points_spent: random.pick([500, 1200, null]),
      status: isShipped
        ? random.pick(["shipped", "completed", "cancelled"])
        : random.pick(["pending", "processing", "cancelled"]),
      fulfillment: {
        type: random.pick(["physical", "digital", null]),
        carrier: random.pick(["DHL", "dhl", "Toll", ""]),
      },
      created_at: random.integer(0, 15) === 0 ? null : new Date(created).toISOString(),
      ...(isShipped && { shipped_at: new Date(shipped).toISOString() }),
    }
    return { record, asOf: 1 }
  })
}

const timeOf = (text: string | null | undefined) => (text == null ? Number.NaN : Date.parse(text))
const needsParcel = ({ fulfillment, reward_id }: Order) => {
  const type = fulfillment?.type ?? rewards.find(({ id }) => id === reward_id)?.type
  return type !== "digital"
}
const nearestRank = (waits: readonly number[], share: number) =>
  waits.toSorted((one, other) => one - other)[Math.ceil(share * waits.length) - 1]

function describeOrders(copies: () => CopiesUnderTest): void {
  const orders = madeUpOrders(11)
  const placed = orders
    .map(({ record }) => record)
    .filter(({ created_at }) => {
      const at = timeOf(created_at)
      return at >= span.from && at < span.to
    })
  const fill = async () => {
    await copies().one.rewards.put(rewards.map((record) => ({ record, asOf: 1 })))
    await copies().one.orders.put(orders, "one")
  }

  test.each(["day", "reward", "category"] as const)(
    "orders by %s are those that are added up one by one, cancelled ones apart",
    async (by) => {
      await fill()
      const keyOf = ({ created_at, reward_id = "" }: Order) => {
        if (by === "day") return dayAt(timeOf(created_at), zone)
        return by === "reward" ? reward_id : fold(rewards.find(({ id }) => id === reward_id)?.category ?? "")
      }
      const expected = [...Map.groupBy(placed, keyOf)].map(([key, some]) => {
        const [placed, cancelled] = [false, true].map((is) =>
          some.filter(({ status }) => (status === "cancelled") === is),
        )
        const points = (part: readonly Order[] = []) =>
          part.reduce((sum, { points_spent }) => sum + (points_spent ?? 0), 0)
        return [key, placed?.length, points(placed), cancelled?.length, points(cancelled)].join("|")
      })
      const sums = await copies().other.reports.redemptions({ ...all, by })
      const text = sums.map(({ group, ...sum }) =>
        [
          by === "day" ? dayOfNumber(Number(group)) : group,
          sum.orders,
          sum.points,
          sum.cancelled,
          sum.cancelledPoints,
        ].join("|"),
      )
      expect(text.toSorted()).toEqual(expected.toSorted())
    },
  )

  test.each(["all", "start", "carrier", "reward"] as const)(
    "times to shipping by %s are the nearest ranks of the sorted waits",
    async (by) => {
      await fill()
      const starts = [span.from, span.from + 12 * 86_400_000, span.from + 19 * 86_400_000]
      const shipped = orders
        .map(({ record }) => record)
        .filter((order) => {
          const at = timeOf(order.shipped_at)
          return (
            at >= span.from &&
            at < span.to &&
            at >= timeOf(order.created_at) &&
            order.status !== "cancelled" &&
            needsParcel(order)
          )
        })
      const keyOf = (order: Order) =>
        ({
          all: "0",
          start: String(starts.findLastIndex((start) => timeOf(order.shipped_at) >= start)),
          carrier: fold(order.fulfillment?.carrier ?? ""),
          reward: order.reward_id ?? "",
        })[by]
      const expected = [...Map.groupBy(shipped, keyOf)].map(([key, some]) => {
        const waits = some.map((order) => timeOf(order.shipped_at) - timeOf(order.created_at))
        return [key, waits.length, nearestRank(waits, 0.5), nearestRank(waits, 0.9)].join("|")
      })
      const sums = await copies().other.reports.shipping({ from: span.from, to: span.to, starts, by })
      expect(sums.map((sum) => [sum.group, sum.shipped, sum.median, sum.p90].join("|")).toSorted()).toEqual(
        expected.toSorted(),
      )
    },
  )

  test("late orders are open ones that need a parcel, placed before a time", async () => {
    await fill()
    const open = orders
      .map(({ record }) => record)
      .filter((order) => ["pending", "processing"].includes(String(order.status)) && needsParcel(order))
    const lateBefore = span.from + 10 * 86_400_000
    expect(await copies().other.reports.openOrders(lateBefore)).toEqual({
      open: open.length,
      late: open.filter(({ created_at }) => timeOf(created_at) < lateBefore).length,
      oldest: Math.min(...open.map(({ created_at }) => timeOf(created_at)).filter((at) => !Number.isNaN(at))),
    })
    expect(await copies().other.reports.undatedOrders()).toBe(
      orders.filter(({ record }) => record.created_at === null).length,
    )
  })
}

/** The tests of what reports read of every copy. */
export function describeReportCopy(name: string, open: () => Promise<CopiesUnderTest>): void {
  describe(`reports from the local copy in ${name}`, () => {
    let copies: CopiesUnderTest
    const { members, booked } = madeUpProgram(7)
    beforeAll(async () => {
      copies = await open()
      await copies.one.members.put(members.map((one) => ({ record: madeUpMember(one.id, one), asOf: 1 })))
      for (const [id, own] of Map.groupBy(booked, ({ member }) => member.id))
        await copies.one.ledgers.put(
          id,
          own.map(({ entry }) => ({ record: entry, asOf: 1 })),
        )
    })
    afterAll(() => copies.close())

    const groups = ["day", "type", "reason", "company", "tier"] as const
    const corrections = booked.slice(0, 40).map(({ member, entry }, at) => ({
      memberId: member.id,
      entryId: entry.transaction_id,
      points: at % 2 === 0 ? -(entry.points ?? 0) : 5,
    }))
    const filters = [
      {},
      { type: "AWARD" },
      { reason: "reference" },
      { company: ["acme", "Cafe Nord"] },
      { company: ["Zeta"], tier: "GOLD" },
      { corrections: [...corrections, ...corrections.slice(0, 3)] },
    ]
    test.each(groups.flatMap((by) => filters.map((filter) => [by, filter] as const)))(
      "entries by %s with %j are those that are added up one by one",
      async (by, filter) => {
        const query = { ...all, ...filter, by }
        expect(asText(await copies.other.reports.entries(query), by)).toEqual(naive(booked, query))
      },
    )

    test("groups are named as a record has them", async () => {
      const labels = (await copies.other.reports.entries({ ...all, by: "company" })).map(({ label }) => label)
      expect(new Set(labels)).toEqual(
        new Set(["", members.find((one) => fold(one.company) === "acme")?.company, "Café Nord", "Zeta"]),
      )
      const reasons = (await copies.other.reports.entries({ ...all, by: "reason" })).map(({ label }) => label)
      expect(reasons).toContain("Référence")
    })

    test("entries without a time are counted apart", async () => {
      const undated = booked.filter(({ entry }) => entry.created_at === null).length
      expect(await copies.other.reports.undatedEntries()).toBe(undated)
    })

    describeOrders(() => copies)

    test("members are counted by their last entry or order, and those without a read ledger apart", async () => {
      const now = span.to + 20 * 86_400_000
      const orders = madeUpOrders(11).filter(({ record }) => record.member_id !== "mem_3")
      await copies.one.orders.put(orders, "one")
      const read = { readFrom: 5, balance: 1200, memberBalance: 1200, misses: 0, dueAt: 9 }
      for (const { id } of members.slice(0, 25)) await copies.one.ledgers.setState(id, 5, read)
      const expected = members.map((one, at) => {
        const times = [
          ...booked.flatMap(({ member, entry }) => (member.id === one.id ? (entry.created_at ?? []) : [])),
          ...orders.flatMap(({ record }) => (record.member_id === one.id ? (record.created_at ?? []) : [])),
        ].map((time) => Date.parse(time))
        const days = (now - Math.max(...times)) / 86_400_000
        const bucket = times.length === 0 ? "never" : days <= 30 ? "d30" : days <= 90 ? "d90" : "d365"
        return `${fold(one.tier ?? "")} ${at >= 25 ? "unread" : bucket}`
      })
      const sums = await copies.other.reports.activity({ by: "tier", now })
      const buckets = ["d30", "d90", "d365", "older", "never", "unread"] as const
      expect(
        sums
          .flatMap((sum) =>
            buckets.flatMap((name) => Array.from({ length: sum[name] }, () => `${sum.group} ${name}`)),
          )
          .toSorted(),
      ).toEqual(expected.toSorted())
      expect(sums.reduce((total, sum) => total + sum.members, 0)).toBe(30)
    })

    test("a ledger counts as read while it ends with the member’s balance", async () => {
      const state = { readFrom: 5, balance: 1200, memberBalance: 1200, misses: 0, dueAt: 9 }
      await copies.one.ledgers.setState("mem_0", 5, state)
      await copies.one.ledgers.setState("mem_1", 5, { ...state, balance: 7, memberBalance: 7 })
      // The others were read above.
      expect(await copies.other.reports.ledgersRead()).toEqual({ read: 24, members: 30 })
    })
  })
}
