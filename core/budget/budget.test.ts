import { describe, expect, it, vi } from "vitest"
import { budgetHeader, readBudget } from "../../contract/response.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { createBackOff } from "./budget.ts"

describe("the budget in responses", () => {
  const fresh = { headers: { "cache-control": "no-cache" } }
  const kit = (rateLimit: number) => {
    const app = createTestKit({ rateLimit })
    const responses = async () =>
      readBudget((await app.ask("GET /program/members", fresh)).headers[budgetHeader] ?? null)?.[0]
    return { ...app, responses, read: vi.spyOn(app.store.budget, "state") }
  }

  it("counts what was taken since it was read, which is once a second at most", async () => {
    const { responses, read, clock } = kit(60)
    for (const left of [59, 58, 57]) expect(await responses()).toMatchObject({ left, limit: 60 })
    expect(read).toHaveBeenCalledTimes(2)
    await clock.advance(1000)
    expect(await responses()).toMatchObject({ left: 56 })
    expect(read).toHaveBeenCalledTimes(4)
  })

  it("says when the next request may go once none is left", async () => {
    const { responses } = kit(1)
    expect(await responses()).toMatchObject({ left: 0, next_in_ms: 61_000 })
  })

  it("is nothing where it cannot be read: the response comes all the same", async () => {
    const { ask, read } = kit(60)
    read.mockRejectedValue(new Error("The store is away."))
    const { status, headers } = await ask("GET /audit")
    expect([status, budgetHeader in headers]).toEqual([200, false])
  })
})

it("doubles with each refusal, up to half a minute, and resets after a response", () => {
  const backOff = createBackOff(() => 1)
  const pauses = Array.from({ length: 7 }, (_, at) => backOff.refused(at * 100, at * 100, undefined))
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  backOff.succeeded(1000)
  expect(backOff.refused(1100, 1100, undefined)).toBe(1000)
})

it("counts calls that were refused together once", () => {
  const backOff = createBackOff(() => 1)
  expect(backOff.refused(0, 50, undefined)).toBe(1000)
  expect(backOff.refused(10, 60, undefined)).toBeUndefined()
})

it("is spread by half, and honours what is asked up to two minutes", () => {
  expect(createBackOff(() => 0).refused(0, 0, undefined)).toBe(500)
  expect(createBackOff(() => 0).refused(0, 0, 7)).toBe(7000)
  expect(createBackOff(() => 0).refused(0, 0, 9999)).toBe(120_000)
})
