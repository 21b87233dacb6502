import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { CardRecord } from "../../contract/cards.ts"
import { dayOfNumber, zoneOffsets } from "../../contract/zoned-days.ts"
import type { CardQuery } from "../../core/gift-cards/card-store.ts"
import { make, sampleRows } from "./job-samples.ts"
import type { StoreUnderTest } from "./store-suite.ts"

const usual = { page: 1, per_page: 100, now: 0 } as const
const iso = (ms: number) => new Date(ms).toISOString()

const member = { id: "mem_1", email: "Ana.Silva@dealer.example", name: "Ana Sílva", created: false }

function card(changes: Partial<CardRecord> = {}): CardRecord {
  return {
    id: "gc_1",
    origin: "issued",
    status: "issued",
    template: "card_visa",
    amount_cents: 5000,
    reference: "7K2QX.1",
    own_reference: null,
    member,
    is_test: false,
    issued_at: iso(1_000),
    expires_at: iso(10_000),
    job: { id: "J-1001", row: 1, line: 3 },
    by: { id: "usr_1", name: "Helen Park" },
    replayed: false,
    message: "Gift card issued",
    looked_up_at: null,
    ...changes,
  }
}

/** The tests of every card register. */
export function describeCardStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the register in ${name}`, () => {
    let stores: StoreUnderTest
    beforeAll(async () => {
      stores = await open()
    })
    afterAll(() => stores.close())
    const ids = async (query: Partial<CardQuery>) =>
      (await stores.other.cards.list({ ...usual, ...query })).cards.map(({ id }) => id)

    test("stores a card once, unchanged by repeated adds", async () => {
      const { one, other } = stores
      const adds = await Promise.all([one, other, one, other].map(({ cards }) => cards.add(card())))
      expect(adds.filter(Boolean)).toEqual([true])
      expect(await other.cards.add(card({ amount_cents: 1 }))).toBe(false)
      expect(await other.cards.get("gc_1")).toEqual(card())
      expect(await one.cards.get("gc_none")).toBeUndefined()
    })

    test("links an adopted card to its row and keeps its lookup result", async () => {
      const { cards } = stores.one
      const adopted = card({
        id: "gc_2",
        origin: "adopted",
        job: null,
        member: { ...member, name: null },
        status: "expired",
        looked_up_at: iso(7),
      })
      expect(await cards.add(adopted)).toBe(true)
      expect(await cards.add({ ...adopted, member })).toBe(false)
      const issued = card({ id: "gc_2", job: { id: "J-1001", row: 2, line: null }, status: "issued" })
      expect(await stores.other.cards.add(issued)).toBe(true)
      expect(await cards.get("gc_2")).toEqual({ ...issued, status: "expired", looked_up_at: iso(7) })
    })

    test("a lookup updates only the looked-up fields", async () => {
      const look = { looked_up_at: iso(99), status: "redeemed", expires_at: iso(20_000) }
      const shown = (card: CardRecord) => ({ ...card, ...look })
      expect(await stores.one.cards.update("gc_none", shown)).toBeUndefined()
      await stores.one.cards.add(
        card({ id: "gc_3", reference: "Q3/100%_x", issued_at: iso(3_000), is_test: true }),
      )
      await stores.one.cards.update("gc_3", shown)
      expect(await stores.other.cards.get("gc_3")).toMatchObject({ ...look, is_test: true })
    })

    test("is filtered by every field and searched case-insensitively", async () => {
      await stores.one.cards.add(
        card({
          id: "gc_4",
          origin: "adopted",
          job: null,
          member: { id: "mem_9", email: "bo@dealer.example", name: "Bo Ek", created: false },
          own_reference: "OWN-7",
          template: "card_tools",
          is_test: null,
          issued_at: null,
          expires_at: null,
          by: { id: "usr_2", name: "Aki" },
        }),
      )
      expect(await ids({})).toEqual(["gc_3", "gc_1", "gc_2", "gc_4"])
      expect(await ids({ sort: "expiring" })).toEqual(["gc_1", "gc_2", "gc_3", "gc_4"])
      expect(await ids({ search: "ana.silva@DEALER" })).toEqual(["gc_3", "gc_1", "gc_2"])
      expect(await ids({ search: "own-7" })).toEqual(["gc_4"])
      expect(await ids({ search: "100%_" })).toEqual(["gc_3"])
      expect(await ids({ search: "100_%" })).toEqual([])
      expect(await ids({ template: "card_tools" })).toEqual(["gc_4"])
      expect(await ids({ status: "redeemed" })).toEqual(["gc_3"])
      expect(await ids({ test: "yes" })).toEqual(["gc_3"])
      expect(await ids({ test: "no" })).toEqual(["gc_1", "gc_2"])
      expect(await ids({ origin: "adopted" })).toEqual(["gc_4"])
      expect(await ids({ job: "J-1001" })).toEqual(["gc_1", "gc_2"].concat("gc_3").toSorted(byIssued))
      expect(await ids({ job: "J-9999" })).toEqual([])
      expect(await ids({ person: "usr_2", member: "mem_9" })).toEqual(["gc_4"])
      expect(await ids({ from: iso(2_000), to: iso(3_000) })).toEqual(["gc_3"])
      expect(await ids({ expiring_days: 0, now: 10_000 })).toEqual(["gc_1", "gc_2"])
    })

    test("is paged with its total", async () => {
      const page = await stores.one.cards.list({ ...usual, page: 2, per_page: 3 })
      expect([page.cards.map(({ id }) => id), page.total]).toEqual([["gc_4"], 4])
    })

    test("returns the filter facets and the cost of its live issued cards", async () => {
      expect(await stores.other.cards.facets()).toEqual({
        templates: ["card_tools", "card_visa"],
        statuses: ["expired", "issued", "redeemed"],
        people: [
          { id: "usr_2", name: "Aki" },
          { id: "usr_1", name: "Helen Park" },
        ],
      })
      expect(await stores.one.cards.issuedSince(0)).toEqual({ cards: 2, amountCents: 10_000 })
      expect(await stores.one.cards.issuedSince(1_001)).toEqual({ cards: 0, amountCents: 0 })
    })

    test("lists rows whose card is missing until it is entered", async () => {
      const { jobs, cards } = stores.one
      const made = await make(jobs, sampleRows(4), { kind: "giftcard" })
      const other = await make(jobs, sampleRows(4))
      const confirm = (jobId: string, row: number, upstreamId: string) =>
        jobs.changeRows(jobId, [{ row, from: ["planned"], set: { state: "confirmed", upstreamId } }])
      await confirm(made.id, 1, "gc_11")
      await confirm(made.id, 2, "gc_12")
      await confirm(other.id, 1, "tx_1")
      const by = { id: "usr_1", name: "Helen Park" }
      const decision = {
        decision: "happened",
        upstream_id: "gc_13",
        at: new Date(0).toISOString(),
        by,
      } as const
      await jobs.changeRows(made.id, [
        { row: 3, from: ["planned"], set: { state: "conflict", upstreamId: "gc_13", decision } },
        { row: 4, from: ["planned"], set: { state: "conflict" } },
      ])
      const missing = async (limit: number, jobId?: string) =>
        (await stores.other.cards.missing(limit, jobId)).map(({ row }) => row)
      expect(await missing(10)).toEqual([1, 2, 3])
      expect(await missing(1, made.id)).toEqual([1])
      expect(await missing(10, other.id)).toEqual([])
      await cards.add(card({ id: "gc_11", job: { id: made.id, row: 1, line: null } }))
      await cards.add(card({ id: "gc_12", origin: "adopted", job: null }))
      expect(await missing(10)).toEqual([2, 3])
    })

    test("finds cards by their references, each within its template", async () => {
      const { one, other } = stores
      const sent = { template: "card_refs", own_reference: null }
      await one.cards.add(card({ ...sent, id: "gc_r1", reference: "Q3/1" }))
      await one.cards.add(card({ ...sent, id: "gc_r2", reference: "7K2QX.9", own_reference: "Q3/2" }))
      await one.cards.add(card({ ...sent, id: "gc_r3", reference: "Q3/1", template: "card_other" }))
      await one.cards.add(card({ ...sent, id: "gc_r4", reference: "q3/1", origin: "adopted", job: null }))
      const found = async (...references: string[]) =>
        (await other.cards.ofReferences("card_refs", references)).map(({ id }) => id).toSorted()
      expect(await found("Q3/1")).toEqual(["gc_r1"])
      expect(await found("Q3/2", "q3/1", "Q3/3")).toEqual(["gc_r2", "gc_r4"])
      expect(await found()).toEqual([])
      // As a service, or a version before, wrote them.
      await one.cards.add(card({ ...sent, id: "gc_r5", reference: "Q3-\u200b5" }))
      await one.cards.add(card({ ...sent, id: "gc_r6", reference: "x", own_reference: "Re\u0301f" }))
      expect(await found("Q3-5")).toEqual(["gc_r5"])
      expect(await found("R\u00e9f")).toEqual(["gc_r6"])
    })

    test("sums what cards cost by day and template, test cards apart, and those that expire soon", async () => {
      const { one, other } = stores
      const noon = Date.parse("2026-10-03T12:00:00Z")
      const add = (id: string, changes: Partial<CardRecord>) =>
        one.cards.add(
          card({ id, template: "card_a", issued_at: iso(noon), expires_at: iso(noon + 9), ...changes }),
        )
      await add("gc_s1", {})
      await add("gc_s2", { issued_at: iso(noon + 4 * 3_600_000), amount_cents: 2500, template: "card_b" })
      await add("gc_s3", { is_test: true })
      await add("gc_s4", { template: null, amount_cents: null })
      await add("gc_s5", { issued_at: null })
      const zone = "Australia/Sydney"
      const [from, to] = [noon - 86_400_000, noon + 2 * 86_400_000]
      const span = { from, to, offsets: zoneOffsets(from, to, zone) }
      const byDay = await other.cards.spend({ ...span, by: "day" })
      expect(Object.fromEntries(byDay.map(({ group, ...sum }) => [dayOfNumber(Number(group)), sum]))).toEqual(
        {
          "2026-10-03": { cards: 2, cents: 5000, tests: 1 },
          "2026-10-04": { cards: 1, cents: 2500, tests: 0 },
        },
      )
      const byTemplate = await other.cards.spend({ ...span, by: "template" })
      expect(byTemplate.toSorted((a, b) => (a.group < b.group ? -1 : 1))).toEqual([
        { group: "", cards: 1, cents: 0, tests: 0 },
        { group: "card_a", cards: 1, cents: 5000, tests: 1 },
        { group: "card_b", cards: 1, cents: 2500, tests: 0 },
      ])
      expect(await other.cards.expiring(noon, noon + 9)).toEqual({ cards: 4, cents: 12_500 })
      expect(await other.cards.expiring(noon + 10, noon + 20)).toEqual({ cards: 0, cents: 0 })
    })
  })
}

/** `gc_3` was issued last. */
function byIssued(one: string, other: string): number {
  return Number(other === "gc_3") - Number(one === "gc_3")
}
