import { expect, it } from "vitest"
import { memoryDrafts } from "../../tests/support/import/memory-drafts.ts"
import {
  draftKeys,
  draftVersion,
  dropExpiredDrafts,
  dropImportsOf,
  unfinishedImports,
} from "./import-drafts.ts"

const dayMs = 24 * 3_600_000
const now = 100 * dayMs

async function browser(drafts: readonly (readonly [recipe: string, user: string, ageDays: number])[]) {
  const store = memoryDrafts()
  for (const [recipe, user, age] of drafts) {
    const { state, rows } = draftKeys(recipe, user)
    const origin = { name: `${recipe}.csv` }
    await store.write(state, {
      version: draftVersion,
      savedAt: now - age * dayMs,
      origin,
      people: "ana@x.example",
    })
    await store.write(rows, { table: [["ana@x.example"]] })
  }
  return store
}

it("signing out removes only the person's own unfinished imports", async () => {
  const store = await browser([
    ["award", "usr_1", 1],
    ["giftcard", "usr_1", 2],
    ["award", "usr_2", 1],
    ["award", "usr_11", 1],
  ])
  expect(await unfinishedImports(store, "usr_1")).toEqual(["award.csv", "giftcard.csv"])
  await dropImportsOf(store, "usr_1")
  expect(await unfinishedImports(store, "usr_1")).toEqual([])
  expect(await store.keys()).toHaveLength(4)
  expect(await unfinishedImports(store, "usr_2")).toEqual(["award.csv"])
  expect(await unfinishedImports(store, "usr_11")).toEqual(["award.csv"])
})

it("expired imports of every user are removed, and rows without a state", async () => {
  const store = await browser([
    ["award", "usr_1", 15],
    ["award", "usr_2", 13],
  ])
  await store.write(draftKeys("deduct", "usr_3").rows, { table: [] })
  await dropExpiredDrafts(store, now)
  expect(await store.keys()).toEqual(Object.values(draftKeys("award", "usr_2")))
})
