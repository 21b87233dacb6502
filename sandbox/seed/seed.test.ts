import { describe, expect, it } from "vitest"
import type { MemberRecord, TransactionRecord } from "../store/records.ts"
import { SandboxStore } from "../store/store.ts"
import { ana } from "../../tests/support/sandbox/client.ts"
import { companyAt, companyCount } from "./members.ts"
import { pastYear } from "./history.ts"
import { seedBase } from "./random.ts"

const end = Date.UTC(2026, 10, 21, 2)

/** Whether a ledger is in order, never below zero, ended by the seed's end, and adds up to the member's figures. */
function agrees(member: MemberRecord, ledger: readonly TransactionRecord[]): boolean {
  let [balance, last] = [0, member.created]
  for (const row of ledger) {
    balance += row.points
    const signed = row.points > 0 === (row.type === "award" || row.type === "adjust")
    if (row.balanceAfter !== balance || balance < 0 || row.created < last || !signed) return false
    last = row.created
  }
  const taken = ledger
    .filter((row) => row.type === "deduct" || row.type === "expire")
    .reduce((total, row) => total - row.points, 0)
  const figures = member.redeemed >= 0 && member.earned - member.redeemed - taken === member.balance
  return last <= end && member.balance === balance && figures
}

describe.each([
  ["laurel", 2000],
  ["another", 500],
])("seed %s with %i members", (seed, members) => {
  const store = new SandboxStore(seed, members, end, 0)
  const rows = store.members.page({}, 0, members).rows

  it("has a ledger for every member whose running balance, balance and lifetime figures agree", () => {
    expect(rows.filter((member) => !agrees(member, store.transactions.of(member.id)))).toEqual([])
  })

  it("has one redemption for every order and one order for every redemption", () => {
    const redeemed = new Map<string, number>()
    for (const member of rows) {
      for (const row of store.transactions.of(member.id)) {
        if (row.type === "redeem") redeemed.set(`${member.id} ${row.reference}`, -row.points)
      }
    }
    expect(redeemed.size).toBe(store.orders.all.length)
    for (const order of store.orders.all)
      expect(redeemed.get(`${order.memberId} ${order.id}`)).toBe(order.points)
  })

  it("spreads each member's points over time", () => {
    const credits = rows.flatMap((member) =>
      store.transactions
        .of(member.id)
        .filter((row) => row.points > 0 && row.reference?.startsWith("ord_") !== true),
    )
    expect(Math.max(...credits.map((row) => row.points))).toBeLessThanOrEqual(3000)
  })

  it("has no id and no e-mail twice", () => {
    expect(new Set(rows.map((row) => row.id)).size).toBe(members)
    expect(new Set(rows.map((row) => row.email)).size).toBe(members)
    const ids = rows.flatMap((row) => store.transactions.of(row.id).map((transaction) => transaction.id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("is mostly active, with some inactive and a few pending, who have no points", () => {
    const count = (status: string) => rows.filter((row) => row.status === status).length
    expect(count("active")).toBeGreaterThan(members * 0.8)
    expect(count("inactive")).toBeGreaterThan(members * 0.02)
    expect(count("pending")).toBeGreaterThan(0)
    expect(rows.filter((row) => row.status === "pending").every((row) => row.balance === 0)).toBe(true)
  })

  it("gives Ana Silva a long ledger, an order to ship and cards", () => {
    expect(store.members.get(ana)).toMatchObject({
      first_name: "Ana",
      last_name: "Silva",
      company: "Coastal Climate Co",
    })
    expect(store.transactions.of(ana).length).toBeGreaterThanOrEqual(100)
    expect(store.orders.get("ord_20398")).toMatchObject({ memberId: ana, status: "processing" })
    expect(store.cards.all.filter((card) => card.memberId === ana)).toHaveLength(2)
  })
})

it.each([
  ["laurel", 2000],
  ["another", 500],
  ["few", 20],
  ["alone", 1],
])("brings Ana Silva to 12,480 points without a leap: seed %s with %i members", (seed, members) => {
  const store = new SandboxStore(seed, members, end, 0)
  const ledger = store.transactions.of(ana)
  expect(store.members.get(ana)?.balance).toBe(12_480)
  expect(ledger.at(-1)).toMatchObject({
    type: "award",
    points: 1250,
    reference: "INV-88213",
    balanceAfter: 12_480,
  })
  expect(new Set(ledger.map((row) => row.type))).toEqual(
    new Set(["award", "redeem", "deduct", "expire", "adjust"]),
  )
  expect(Math.max(...ledger.filter((row) => row.type === "award").map((row) => row.points))).toBeLessThan(
    3000,
  )
})

const dump = (seed: string) => {
  const store = new SandboxStore(seed, 60, end, 0)
  const { rows } = store.members.page({}, 0, 60)
  return JSON.stringify([
    rows,
    rows.map((row) => store.transactions.of(row.id)),
    store.orders.all,
    store.cards.all,
  ])
}

const names = (at: number) =>
  new SandboxStore("a", 60, at, 0).members.page({}, 0, 60).rows.map((row) => [row.id, row.email])

it("is the same for the same seed, count and time, and another for another seed", () => {
  expect(dump("a")).toBe(dump("a"))
  expect(dump("a")).not.toBe(dump("b"))
})

it("keeps everything but the times when it is seeded at another time", () => {
  expect(names(end)).toEqual(names(end + 86_400_000))
})

it("names every company once, in 100,000 members too", () => {
  const base = seedBase("laurel", 100_000, end)
  const names = Array.from({ length: companyCount(100_000) }, (_, index) => companyAt(base, index).domain)
  expect(new Set(names).size).toBe(25_000)
})

it("holds 100,000 members, each found by id, name and e-mail", () => {
  const store = new SandboxStore("laurel", 100_000, end, 0)
  expect(store.members.count).toBe(100_000)
  const last = store.members.page({}, 99_999, 1).rows[0]
  expect(last).toBeDefined()
  expect(store.members.get(last?.id ?? "")).toEqual(last)
  expect(store.members.findByEmail(last?.email ?? "")).toEqual(last)
  expect(store.members.page({ search: last?.email.toLowerCase() }, 0, 10).rows).toContainEqual(last)
})

it("works with few members and with none", () => {
  for (const members of [0, 1, 5]) {
    const store = new SandboxStore("laurel", members, end, 0)
    expect(store.members.count).toBe(members)
    for (const order of store.orders.all) expect(store.members.get(order.memberId)).toBeDefined()
  }
})

it.each([
  ["laurel", 2000],
  ["two", 300],
  ["four", 100],
])("history starts with the reversed batch and its reversal: seed %s with %i members", (seed, members) => {
  const { jobs } = pastYear(new SandboxStore(seed, members, Date.UTC(2026, 4, 20, 3), 0))
  expect(jobs.map(({ reversal }) => reversal).slice(0, 3)).toEqual(["reversed", "reverses", undefined])
})
