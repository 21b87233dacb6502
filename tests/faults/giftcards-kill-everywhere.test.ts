import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createMemoryStore } from "../support/memory-store.ts"
import { createSandbox } from "../../sandbox/app.ts"
import type { FaultInput } from "../../sandbox/faults.ts"
import { cardRow } from "../support/card-app.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { createSandboxUpstream } from "../../src/demo/sandbox-upstream.ts"
import { digestAtOnce, type Process, startProcess, worldTimes } from "./in-process.ts"
import type { Life } from "./mortal.ts"

beforeEach(() => digestAtOnce())
afterEach(() => vi.restoreAllMocks())

/** Issues one card with a process that is killed at a step and a second that is not. Returns the steps of the first. */
async function issueOne(kill: number, fault: FaultInput | undefined) {
  const clock = createFakeClock()
  const store = createMemoryStore(clock)
  const sandbox = createSandbox({
    members: 20,
    rateLimit: 0,
    giftcardRateLimit: 0,
    now: () => clock.now(),
    wait: (ms, signal) => clock.sleep(ms, signal),
  })
  if (fault !== undefined) sandbox.faults.add(fault)
  const upstream = createSandboxUpstream(sandbox, clock, worldTimes.callMs)
  const ground = { clock, store, upstream }
  const lives = new Map<string, Life>()
  const submit = (app: Process) =>
    app.ask("POST /jobs", {
      body: { kind: "giftcard", rows: [cardRow] },
      headers: { "idempotency-key": "one-card" },
    })

  const first = startProcess(ground, lives, { kill })
  void submit(first)
  await clock.advance(1000)
  if (first.life.alive) {
    for (let at = 0; at < 60 && first.life.alive; at += 1) await clock.advance(500)
  }
  const { steps } = first.life
  first.life.kill()
  const second = startProcess(ground, lives)
  // The user got no response and sends the same request again.
  void submit(second)
  for (let at = 0; at < 200; at += 1) {
    await clock.advance(500)
    const [job] = await store.jobs.list({ perPage: 1 })
    if (job?.state === "done") break
  }
  const jobs = await store.jobs.list({ perPage: 10 })
  const { cards } = await store.cards.list({ page: 1, per_page: 10, now: 0 })
  await second.app.stop()
  const issued = sandbox.store.ledger.flatMap((effect) => (effect.kind === "card" ? [effect.id] : []))
  return { steps, issued, jobs, register: cards.map(({ id }) => id) }
}

it.each<[string, FaultInput | undefined]>([
  ["a good response", undefined],
  ["a lost response", { kind: "drop-after", match: { method: "POST", times: 1 } }],
  ["a call without effect", { kind: "drop-before", match: { method: "POST", times: 1 } }],
])("a kill at any step of an issue with %s leaves one card, confirmed and registered", async (_, fault) => {
  const { steps } = await issueOne(Infinity, fault)
  expect(steps).toBeGreaterThan(8)
  for (let kill = 1; kill <= steps; kill += 1) {
    const { issued, jobs, register } = await issueOne(kill, fault)
    expect([kill, issued.length, jobs.map(({ state, counts }) => [state, counts.confirmed])]).toEqual([
      kill,
      1,
      [["done", 1]],
    ])
    expect([kill, register]).toEqual([kill, issued])
  }
})
