import { expect, it } from "vitest"
import { densest } from "../../tests/support/densest.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { madeUpMember, page, record } from "../../tests/support/made-up-members.ts"

const people = 30
const limit = 60

/** The same 40 views for everybody: lists, members, ledgers, rewards, orders. */
const views = Array.from({ length: 40 }, (_, at) => {
  const lists = ["members", "rewards", "orders", "leaderboards"]
  if (at < 16) return `GET /program/${lists[at % 4]}${at < 4 || at % 4 === 3 ? "" : `?page=${1 + (at >> 2)}`}`
  return at % 2 === 0 ? `GET /program/members/mem_${at}` : `GET /program/members/mem_${at}/balance`
})

it("answers 30 people on 60 requests a minute: no 429, no minute above 60, every read answered", async () => {
  const kit = createTestKit({ rateLimit: limit })
  const { clock, upstream } = kit
  const sent: number[] = []
  let refused = 0
  upstream.serve(async (call) => {
    const now = clock.monotonic()
    sent.push(now)
    if (sent.filter((at) => at > now - 60_000).length > limit) {
      refused += 1
      return { status: 429, body: {} }
    }
    await clock.sleep(120)
    const id = call.path.split("/")[2] ?? ""
    if (call.path.endsWith("/balance"))
      return record({ member_id: id, balance: 1, lifetime_earned: 1, lifetime_redeemed: 0, pending: 0 })
    if (call.path.startsWith("/members/")) return record(madeUpMember(id))
    return page([])
  })

  const ends: { status: number; ms: number }[] = []
  const until = 120_000
  async function browse(name: string, seed: number): Promise<void> {
    for (let step = 0; clock.monotonic() < until; step += 1) {
      const started = clock.monotonic()
      const view = views[(seed * 7 + step * 11) % views.length] ?? ""
      let answer = await kit.ask(view, { name })
      if (answer.status === 503) {
        // What the page does: it counts down and asks again.
        await clock.sleep(Number(answer.headers["Retry-After"]) * 1000)
        answer = await kit.ask(view, { name })
      }
      ends.push({ status: answer.status, ms: clock.monotonic() - started })
      await clock.sleep(1500 + ((seed * 137 + step * 61) % 1500))
    }
  }
  const all = Array.from({ length: people }, (_, at) => browse(`p${at}`, at))
  await clock.advance(until + 90_000)
  await Promise.all(all)

  expect(refused).toBe(0)
  expect(densest(sent, 60_000)).toBeLessThanOrEqual(limit)
  expect(ends.length).toBeGreaterThan(people * 20)
  expect(ends.filter(({ status }) => status !== 200)).toEqual([])
})
