import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { FaultInput } from "../../sandbox/faults.ts"
import { cardRow } from "../support/card-app.ts"
import { digestAtOnce, type Process } from "./in-process.ts"
import { createSandboxWorld } from "./orders/sandbox-world.ts"

beforeEach(() => digestAtOnce())
afterEach(() => vi.restoreAllMocks())

/** Issues one card with a process that is killed at a step and a second that is not. Returns the kills that differ for the first. */
async function issueOne(kill: number, fault: FaultInput | undefined) {
  const world = createSandboxWorld({ members: 20 })
  const { clock, store, sandbox } = world
  if (fault !== undefined) sandbox.faults.add(fault)
  const submit = (app: Process) =>
    app.ask("POST /jobs", {
      body: { kind: "giftcard", rows: [cardRow] },
      headers: { "idempotency-key": "one-card" },
    })

  const first = world.start({ kill })
  void submit(first)
  await clock.advance(1000)
  if (first.life.alive) {
    for (let at = 0; at < 60 && first.life.alive; at += 1) await clock.advance(500)
  }
  const kills = first.life.distinctKills
  first.life.kill()
  const second = world.start()
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
  return { kills, issued, jobs, register: cards.map(({ id }) => id) }
}

it.each<[string, FaultInput | undefined]>([
  ["a good response", undefined],
  ["a lost response", { kind: "drop-after", match: { method: "POST", times: 1 } }],
  ["a call without effect", { kind: "drop-before", match: { method: "POST", times: 1 } }],
])(
  "a kill before any write of an issue with %s leaves one card, confirmed and registered",
  async (_, fault) => {
    const { kills } = await issueOne(Infinity, fault)
    expect(kills.length).toBeGreaterThan(4)
    for (const kill of kills) {
      const { issued, jobs, register } = await issueOne(kill, fault)
      expect([kill, issued.length, jobs.map(({ state, counts }) => [state, counts.confirmed])]).toEqual([
        kill,
        1,
        [["done", 1]],
      ])
      expect([kill, register]).toEqual([kill, issued])
    }
  },
)
