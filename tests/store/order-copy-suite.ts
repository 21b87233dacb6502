import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Order } from "../../contract/program/order.ts"
import { noOrderProgress, type OrderQuery } from "../../core/copy/copy-store.ts"
import { madeUpMember } from "../support/made-up-members.ts"
import type { CopiesUnderTest } from "./copy-suite.ts"

const order = (id: string, fields: Partial<Order> = {}): Order => ({
  order_id: id,
  member_id: "mem_1",
  reward_id: "rew_1",
  reward_name: "Café voucher",
  points_spent: 100,
  status: "pending",
  created_at: "2026-01-01T00:00:00Z",
  ...fields,
})
const newest = {
  scope: "contact",
  rewardTypes: [],
  sort: { field: "created_at", descending: true },
  page: 1,
  perPage: 25,
} as const

/** The tests of the orders of every copy. */
export function describeOrderCopy(name: string, open: () => Promise<CopiesUnderTest>): void {
  describe(`the orders of the local copy in ${name}`, () => {
    let copies: CopiesUnderTest
    beforeAll(async () => {
      copies = await open()
    })
    beforeEach(() => copies.one.clear())
    afterAll(() => copies.close())

    const put = (asOf: number, from: "list" | "one", ...orders: readonly Order[]) =>
      copies.one.orders.put(
        orders.map((record) => ({ record, asOf })),
        from,
      )
    const idsOf = async (query: Partial<OrderQuery>) => {
      const { rows, total } = await copies.other.orders.list({ ...newest, ...query })
      return [...rows.map(({ order_id }) => order_id), total]
    }
    const only = async () => (await copies.other.orders.list(newest)).rows[0]
    const rewardTypes = [
      { id: "rew_1", type: "physical" },
      { id: "rew_2", type: "digital" },
    ]

    test("row and record of an order make one, the younger counts", async () => {
      await put(10, "list", order("ord_1", { tracking_number: "A", carrier: "dhl" }))
      await put(
        20,
        "one",
        order("ord_1", { status: "shipped", fulfillment: { type: "physical", tracking_number: "B" } }),
      )
      expect(await only()).toMatchObject({
        status: "shipped",
        tracking_number: "B",
        fulfillment: { type: "physical" },
      })
      await put(30, "list", order("ord_1", { status: "completed", tracking_number: "C" }))
      expect(await only()).toMatchObject({
        status: "completed",
        tracking_number: "C",
        fulfillment: { type: "physical", tracking_number: "C" },
      })
      await put(25, "one", order("ord_1", { status: "cancelled" }))
      expect(await only()).toMatchObject({ status: "completed" })
    })

    test("an equal row that is younger than the record overrules it", async () => {
      await put(10, "list", order("ord_1"))
      await put(20, "one", order("ord_1", { status: "shipped" }))
      await put(30, "list", order("ord_1"))
      expect(await only()).toMatchObject({ status: "pending" })
      expect(await put(40, "list", order("ord_1"))).toBe(0)
    })

    test("only documented fields are kept, and of fulfillment four", async () => {
      const fulfillment = { type: "digital", delivered_at: "2026-01-02T00:00:00Z" }
      const secrets = { new_balance: 3, redeem_link: "https://x.test/SECRET", card: { code: "SECRET" } }
      const sent = order("ord_1", { fulfillment: { ...fulfillment, code: "SECRET" } })
      await put(10, "one", { ...sent, ...secrets })
      expect(await only()).toEqual(order("ord_1", { fulfillment }))
    })

    describe("a list", () => {
      beforeEach(async () => {
        const members = [
          madeUpMember("mem_1", { first_name: "José", last_name: "Müller" }),
          madeUpMember("mem_2", { first_name: "Ana", last_name: "Zell" }),
        ]
        await copies.one.members.put(members.map((record) => ({ record: record, asOf: 1 })))
        await put(
          10,
          "list",
          order("ord_1", {
            created_at: "2026-01-03T00:00:00Z",
            tracking_number: "RB 123-456",
            carrier: "DHL",
          }),
          order("ord_2", {
            member_id: "mem_2",
            status: "shipped",
            points_spent: 900,
            reward_id: "rew_2",
            reward_name: "Drill",
          }),
          order("ord_3", { member_id: "mem_gone", status: "Processing", created_at: null, points_spent: 5 }),
        )
      })

      test.each<[Partial<OrderQuery>, (string | number)[]]>([
        [{}, ["ord_1", "ord_2", "ord_3", 3]],
        [{ search: "muller jose" }, ["ord_1", 1]],
        [{ search: "cafe" }, ["ord_1", "ord_3", 2]],
        [{ search: "rb123456" }, ["ord_1", 1]],
        [{ search: "ana drill" }, ["ord_2", 1]],
        [{ search: "mem_gone" }, ["ord_3", 1]],
        [{ search: "%" }, [0]],
        [{ search: "mem_1@dealer" }, ["ord_1", 1]],
        [{ search: "mem_1@dealer", scope: "name" }, [0]],
        [{ search: "qld", scope: "all" }, [0]],
        [{ search: "drill", foundIds: ["ord_1", "ord_9"] }, ["ord_1", "ord_2", 2]],
        [{ search: "nobody", foundIds: ["ord_1"], status: "shipped" }, [0]],
        [{ status: "to-ship" }, ["ord_1", "ord_3", 2]],
        [{ status: "PENDING" }, ["ord_1", 1]],
        [{ status: "cancelled" }, [0]],
        [{ memberId: "mem_2" }, ["ord_2", 1]],
        [{ rewardId: "rew_2" }, ["ord_2", 1]],
        [{ type: "digital" }, [0]],
        [{ type: "digital", rewardTypes }, ["ord_2", 1]],
        [{ type: "physical", rewardTypes }, ["ord_1", "ord_3", 2]],
        [{ from: Date.parse("2026-01-02T00:00:00Z") }, ["ord_1", "ord_3", 2]],
        [{ to: Date.parse("2026-01-02T00:00:00Z") }, ["ord_2", "ord_3", 2]],
        [{ sort: { field: "member", descending: false } }, ["ord_2", "ord_1", "ord_3", 3]],
        [{ sort: { field: "points_spent", descending: true } }, ["ord_2", "ord_1", "ord_3", 3]],
        [{ sort: { field: "tracking_number", descending: true } }, ["ord_1", "ord_2", "ord_3", 3]],
        [{ sort: { field: "id", descending: true } }, ["ord_3", "ord_2", "ord_1", 3]],
        [{ page: 2, perPage: 2 }, ["ord_3", 3]],
        [{ page: 9 }, [3]],
      ])("finds %j", async (query, found) => {
        expect(await idsOf(query)).toEqual(found)
      })

      test("an order’s own type counts before its reward’s", async () => {
        await put(20, "one", order("ord_1", { fulfillment: { type: "digital" } }))
        expect(await idsOf({ status: "to-ship", rewardTypes })).toEqual(["ord_3", 1])
        expect(await idsOf({ type: "digital", rewardTypes })).toEqual(["ord_1", "ord_2", 2])
      })

      test("is counted by status, whatever its status filter, and by reward", async () => {
        const filter = { scope: "name", rewardTypes, status: "shipped", search: "ord_" } as const
        expect(await copies.one.orders.facets(filter)).toEqual({
          statuses: [
            { value: "pending", count: 1 },
            { value: "processing", count: 1 },
            { value: "shipped", count: 1 },
          ],
          to_ship: 2,
          rewards: [{ id: "rew_2", name: "Drill", count: 1 }],
        })
      })

      test("names the open orders held since before a time", async () => {
        await put(30, "one", order("ord_1"))
        expect(await copies.one.orders.openBefore(20)).toEqual(["ord_3"])
      })

      test("an order that the service no longer has is dropped, not one that was asked later", async () => {
        await copies.one.orders.drop(["ord_1"], 9)
        await copies.one.orders.drop(["ord_2", "ord_9"], 20)
        expect(await idsOf({})).toEqual(["ord_1", "ord_3", 2])
        expect(await put(15, "list", order("ord_2"))).toBe(0)
        expect(await put(21, "list", order("ord_2"))).toBe(1)
      })
    })

    test("keeps progress until it is cleared", async () => {
      const progress = { ...noOrderProgress, complete: true, syncedAt: 4, newestFirst: true }
      await copies.one.orders.setProgress(progress)
      expect(await copies.other.orders.progress()).toEqual(progress)
      await copies.one.clear()
      expect(await copies.other.orders.progress()).toEqual(noOrderProgress)
    })
  })
}
