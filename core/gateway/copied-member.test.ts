import { expect, it, onTestFinished } from "vitest"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpMember, record } from "../../tests/support/made-up-members.ts"
import { createMemoryCopy } from "../../tests/support/memory-copy.ts"
import { createTestKit } from "../../tests/support/test-kit.ts"
import { noProgress, type SyncProgress } from "../copy/copy-store.ts"

const one = "GET /program/members/mem_1"

const update = { "x-laurel-update": "1" }

/** Laurel with a copy of one member, from a pass that began five minutes ago. */
async function kit(progress: Partial<SyncProgress> = {}, rateLimit = 60) {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  const asOf = clock.now() - 300_000
  await copy.members.put([{ record: madeUpMember("mem_1", { company: "As copied" }), asOf }])
  await copy.members.setProgress({
    ...noProgress,
    complete: true,
    sweptFrom: asOf,
    syncedAt: asOf,
    ...progress,
  })
  const app = createTestKit({ clock, copy, rateLimit })
  onTestFinished(() => app.app.stop())
  app.upstream.serve(({ path }) =>
    path === "/members/mem_1" ? record(madeUpMember("mem_1", { company: "As it is" })) : undefined,
  )
  const away = () => app.upstream.serve(() => ({ kind: "no_answer", what: "hung" }))
  return { ...app, away }
}

it("shows a member as copied while no request is free, and as they are soon after", async () => {
  const { ask, clock } = await kit({}, 1)
  await ask("GET /program/members/mem_9")
  const waiting = ask(one)
  await clock.advance(250)
  const copied = await waiting
  expect(copied).toMatchObject({ status: 200, body: { data: { id: "mem_1", company: "As copied" } } })
  expect(copied.headers).toMatchObject({ "X-Laurel-Stale-Reason": "budget_spent", Age: "300" })
  await clock.advance(61_000)
  const { body, headers } = await ask(one)
  expect(body).toMatchObject({ data: { company: "As it is" } })
  expect(headers).not.toHaveProperty("X-Laurel-Stale")
})

it("reads for who sees nothing yet before it updates a member who is shown as copied", async () => {
  const { ask, clock, upstream } = await kit({}, 1)
  await ask("GET /program/members/mem_9")
  await clock.advance(45_000)
  const copied = ask(one)
  await clock.advance(250)
  expect((await copied).headers).toHaveProperty("X-Laurel-Stale")
  // As the page does every 2 s.
  const poll = ask(one, { headers: update })
  const waiting = ask("GET /program/members/mem_8", { name: "Ben" })
  await clock.advance(16_000)
  expect([(await poll).status, (await waiting).status]).toEqual([200, 404])
  expect(upstream.lines().at(-1)).toContain("mem_8")
})

it("shows a member as copied while the service is away, and its role’s fields only", async () => {
  const { ask, away } = await kit()
  away()
  const copied = await ask(one, { role: "fulfilment" })
  expect(copied).toMatchObject({ status: 200, headers: { "X-Laurel-Stale-Reason": "upstream_unreachable" } })
  expect(copied.body).not.toHaveProperty("data.company")
})

it.each<[string, Partial<SyncProgress>]>([
  ["that is not complete", { complete: false }],
  ["whose last pass is unknown", { sweptFrom: null }],
  ["that is older than an hour", { sweptFrom: 0 }],
])("shows nothing of a copy %s", async (_what, progress) => {
  const { ask, away } = await kit(progress)
  away()
  expect((await ask(one)).status).toBe(504)
})

it("shows nothing that is older than a write", async () => {
  const { ask, away, publish } = await kit()
  publish({ topic: "member", id: "mem_1" })
  away()
  expect((await ask(one)).status).toBe(504)
})

it("shows no member whom the service no longer has", async () => {
  const { ask, away, clock, upstream } = await kit()
  upstream.serve(() => undefined)
  expect((await ask(one)).status).toBe(404)
  await clock.advance(61_000)
  away()
  expect((await ask(one)).status).toBe(504)
})

it("shows nothing copied to who asks past every cache", async () => {
  const { ask, away } = await kit()
  away()
  expect((await ask(one, { headers: { "cache-control": "no-cache" } })).status).toBe(504)
})

it("sends nothing for who leaves while nothing can be shown", async () => {
  const { ask, clock, upstream } = await kit({ complete: false }, 1)
  await ask("GET /program/members/mem_9")
  const leaving = new AbortController()
  const left = ask(one, { signal: leaving.signal }).catch((error: unknown) => error)
  await clock.advance(1000)
  leaving.abort()
  await left
  await clock.advance(61_000)
  expect(upstream.lines()).toHaveLength(1)
})
