import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Reward } from "../../contract/program/reward.ts"
import { noProgress, type RewardQuery } from "../../core/copy/copy-store.ts"
import type { CopiesUnderTest } from "./copy-suite.ts"

const reward = (id: string, fields: Partial<Reward> = {}): Reward => ({
  id,
  name: `Reward ${id}`,
  description: "",
  points_cost: 500,
  category: "Tools",
  type: "physical",
  status: "active",
  stock: 40,
  ...fields,
})
const byName = { sort: { field: "name", descending: false }, page: 1, perPage: 25 } as const

/** The tests of the rewards of every copy. */
export function describeRewardCopy(name: string, open: () => Promise<CopiesUnderTest>): void {
  describe(`the rewards of the local copy in ${name}`, () => {
    let copies: CopiesUnderTest
    beforeAll(async () => {
      copies = await open()
    })
    beforeEach(async () => {
      await copies.one.clear()
      const rewards = [
        reward("rew_1", { name: "Café voucher", category: "Gift cards", type: "digital", stock: null }),
        reward("rew_2", { name: "Drill", description: "18 V, with two batteries", stock: 3 }),
        reward("rew_3", { name: "Ångström lamp", points_cost: null, stock: 0 }),
        reward("rew_4", { name: "  ", status: "inactive", points_cost: 900, category: null }),
      ]
      await copies.one.rewards.put(rewards.map((record) => ({ record, asOf: 10 })))
    })
    afterAll(() => copies.close())

    const idsOf = async (query: Partial<RewardQuery>) => {
      const { rows, total } = await copies.other.rewards.list({ ...byName, ...query })
      return [...rows.map(({ id }) => id), total]
    }

    test.each<[Partial<RewardQuery>, (string | number)[]]>([
      [{}, ["rew_3", "rew_1", "rew_2", "rew_4", 4]],
      [{ search: "CAFE gift" }, ["rew_1", 1]],
      [{ search: "batteries" }, ["rew_2", 1]],
      [{ search: "rew_4" }, ["rew_4", 1]],
      [{ search: "100%" }, [0]],
      [{ category: "gift CARDS" }, ["rew_1", 1]],
      [{ status: "inactive" }, ["rew_4", 1]],
      [{ type: "digital", status: "active" }, ["rew_1", 1]],
      [{ minPoints: 600 }, ["rew_3", "rew_4", 2]],
      [{ minPoints: 500, maxPoints: 500 }, ["rew_3", "rew_1", "rew_2", 3]],
      [{ sort: { field: "stock", descending: true } }, ["rew_1", "rew_4", "rew_2", "rew_3", 4]],
      [{ sort: { field: "points_cost", descending: false } }, ["rew_1", "rew_2", "rew_4", "rew_3", 4]],
      [{ page: 2, perPage: 3 }, ["rew_4", 4]],
    ])("finds %j", async (query, found) => {
      expect(await idsOf(query)).toEqual(found)
    })

    test("counts categories and stock of what matches", async () => {
      expect(await copies.other.rewards.facets({}, 3)).toEqual({
        categories: [
          { value: "Tools", count: 2 },
          { value: "Gift cards", count: 1 },
        ],
        low: 1,
        out: 1,
      })
      expect(await copies.other.rewards.facets({ search: "cafe" }, 3)).toMatchObject({ low: 0, out: 0 })
    })

    test("keeps progress, and drops a reward that the service no longer has", async () => {
      await copies.one.rewards.setProgress({ ...noProgress, complete: true, total: 4 })
      expect(await copies.other.rewards.progress()).toMatchObject({ complete: true, total: 4 })
      await copies.one.rewards.drop(["rew_1"], 20)
      expect(await copies.other.rewards.count()).toBe(3)
      expect(await copies.other.rewards.idsBefore(11)).toEqual(["rew_2", "rew_3", "rew_4"])
    })
  })
}
