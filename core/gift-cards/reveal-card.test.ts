import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { cardRow, createCardApp, type CardApp } from "../../tests/support/card-app.ts"
import type { FaultInput } from "../../sandbox/faults.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import type { KitOptions } from "../../tests/support/test-kit.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"

const link = /https:\/\/redeem\.giftcards\.example\/c\/\w+/
const reason = "Ana says that it never arrived"

let apps: CardApp[] = []
beforeEach(() => digestAtOnce())
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop()
  vi.restoreAllMocks()
})

async function withCard(options: Partial<SandboxOptions> = {}, fault?: FaultInput, kit: KitOptions = {}) {
  const app = createCardApp(options, kit)
  apps.push(app)
  if (fault !== undefined) app.sandbox.faults.add(fault)
  await app.carryOut([cardRow])
  const [card] = await app.register()
  if (card === undefined) throw new Error("No card was issued.")
  const reveal = (
    id = card.id,
    role: "manager" | "viewer" | "fulfilment" = "manager",
    body: unknown = { reason },
  ) => app.ask(`POST /cards/${id}/reveal`, { role, body })
  const log = async (action: string) => (await app.ask(`GET /audit?action=${action}`)).body
  return { ...app, card, reveal, log }
}

describe("a reveal", () => {
  it("repeats the same request, returns the link in one uncached response, and issues nothing", async () => {
    const { reveal, sent, issued, log, card } = await withCard()
    const answer = await reveal()
    expect(answer).toMatchObject({
      status: 200,
      headers: { "Cache-Control": "no-store" },
      body: { data: { redeem_url: expect.stringMatching(link), alarm: null } },
    })
    expect([new Set(sent()).size, sent().length, issued().length]).toEqual([1, 2, 1])
    expect(await log("card.reveal")).toMatchObject({
      data: [
        { on: { kind: "card", id: card.id }, outcome: "done", note: reason, actor: { name: "manager" } },
      ],
    })
  })

  it("waits for an earlier repeat that is under way at the service still", async () => {
    const { reveal, sent, issued, sandbox, clock } = await withCard()
    const { cards } = sandbox.store
    vi.spyOn(cards, "recall").mockReturnValueOnce(undefined).mockReturnValueOnce(undefined)
    vi.spyOn(cards.inProgress, "has").mockReturnValueOnce(true).mockReturnValueOnce(true)
    const answer = reveal()
    await clock.advance(2000)
    expect(await answer).toMatchObject({
      status: 200,
      body: { data: { redeem_url: expect.stringMatching(link) } },
    })
    expect([new Set(sent()).size, sent().length, issued().length]).toEqual([1, 4, 1])
  })

  it("is in the log before the service is asked: without an entry nothing is sent", async () => {
    const { reveal, sent, store } = await withCard()
    vi.spyOn(store.audit, "append").mockRejectedValue(new Error("disk full"))
    expect(await reveal()).toMatchObject({ status: 503, body: { error: { code: "store_unavailable" } } })
    expect(sent()).toHaveLength(1)
  })

  it.each(["viewer", "fulfilment"] as const)("is not for %s", async (role) => {
    const { reveal, sent, card } = await withCard()
    expect((await reveal(card.id, role)).status).toBe(403)
    expect(sent()).toHaveLength(1)
  })

  it("needs a reason", async () => {
    const { reveal, card, sent } = await withCard()
    for (const body of [null, {}, { reason: "  " }, { reason, link: true }])
      expect((await reveal(card.id, "manager", body)).status).toBe(422)
    expect(sent()).toHaveLength(1)
  })

  it("is refused for a card that is unknown, adopted or expired", async () => {
    const { reveal, ask, sandbox, sent, clock } = await withCard()
    expect((await reveal("gc_none")).status).toBe(404)
    const seeded = sandbox.store.cards.withRef("NPS-2291")[0]
    expect((await ask("POST /cards/adopt", { body: { externalRef: "NPS-2291" } })).status).toBe(201)
    expect(await reveal(seeded?.id)).toMatchObject({ status: 409 })
    clock.shiftWall(91 * 86_400_000)
    expect((await reveal()).body).toMatchObject({
      error: { code: "conflict", message: expect.stringContaining("expired") },
    })
    expect(sent()).toHaveLength(1)
  })

  it.each(["an earlier repeat", "its turn"])(
    "is not asked for once the card expired in the wait for %s",
    async (wait) => {
      const { reveal, sent, store, clock, card, sandbox } = await withCard({}, undefined, { rateLimit: 6 })
      await clock.advance(120_000)
      if (wait === "its turn") {
        for (const who of ["a", "b", "c", "d", "e", "f"])
          await store.budget.take("giftcard", 6, 61_000, () => ({ taker: { lane: "people", who } }))
        await clock.advance(46_000)
      }
      const { cards } = sandbox.store
      vi.spyOn(cards, "recall").mockReturnValueOnce(undefined)
      vi.spyOn(cards.inProgress, "has").mockReturnValueOnce(true)
      const expires_at = new Date(clock.now() + 400).toISOString()
      await store.cards.update(card.id, (saved) => ({ ...saved, expires_at }))
      const answer = reveal()
      for (let second = 0; second < 30; second += 1) await clock.advance(1000)
      expect(await answer).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining("has expired") } },
      })
      expect(sent()).toHaveLength(wait === "its turn" ? 1 : 2)
    },
  )

  it("looks a card up first whose answer did not say when it expires", async () => {
    const noEnd = { kind: "missing-field", field: "expiresAt" } as const
    const { reveal, card, sent, sandbox, register } = await withCard({}, { ...noEnd, match: { times: 1 } })
    expect(card).toMatchObject({ expires_at: null, can_reveal: true })
    const { id } = sandbox.faults.add({ ...noEnd, match: { method: "GET" } })
    expect((await reveal()).body).toMatchObject({
      error: { code: "conflict", message: expect.stringContaining("doesn’t say when this card expires") },
    })
    expect(sent()).toHaveLength(1)
    sandbox.faults.remove(id)
    expect((await reveal()).body).toMatchObject({ data: { redeem_url: expect.stringMatching(link) } })
    expect(await register()).toMatchObject([{ expires_at: expect.stringMatching(/^20/) }])
  })

  it("of a request the service forgot is a refusal, because the reference is taken", async () => {
    const { reveal, clock, issued, log } = await withCard({ settings: { keyRetentionMs: 1000 } })
    await clock.advance(5000)
    expect(await reveal()).toMatchObject({
      status: 409,
      body: { error: { details: { upstream_code: "DUPLICATE_EXTERNAL_REF" } } },
    })
    expect(issued()).toHaveLength(1)
    expect(await log("card.reveal")).toMatchObject({
      data: [{ outcome: "failed", note: expect.stringContaining(`Reason given: ${reason}`) }],
    })
  })

  it("that issues a new card enters it, raises an alarm and shows no link", async () => {
    const { reveal, sandbox, card, issued, register, log } = await withCard({
      settings: { keyRetentionMs: 1000 },
    })
    vi.spyOn(sandbox.store.cards, "withRef").mockReturnValue([])
    vi.spyOn(sandbox.store.cards, "recall").mockReturnValue(undefined)
    const answer = await reveal()
    const fresh = issued()[1]?.id ?? ""
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: { redeem_url: null, alarm: { card_id: fresh, message: expect.stringContaining(fresh) } },
      },
    })
    expect(JSON.stringify(answer.body)).not.toMatch(link)
    expect((await register()).map(({ id, origin }) => [id, origin])).toEqual(
      expect.arrayContaining([
        [card.id, "issued"],
        [fresh, "unexpected"],
      ]),
    )
    expect(await log("card.issue")).toMatchObject({ data: [{ on: { id: fresh }, outcome: "unknown" }, {}] })
    vi.restoreAllMocks()
    digestAtOnce()
    expect(await reveal()).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining(fresh) } },
    })
  })

  it.each([
    ["the answer is lost", { kind: "drop-after" }, 504],
    ["the answer cannot be read", { kind: "html" }, 502],
    ["the service has a fault", { kind: "before-commit-500" }, 502],
  ] as const)("gives nothing when %s, and may be tried again", async (_, fault, status) => {
    const { reveal, sandbox, issued } = await withCard()
    sandbox.faults.add({ ...fault, match: { method: "POST", times: 1 } })
    expect((await reveal()).status).toBe(status)
    expect((await reveal()).status).toBe(200)
    expect(issued()).toHaveLength(1)
  })

  it("does not repeat a request that is not the one that was sent", async () => {
    const { reveal, store, sent, card } = await withCard()
    const { id = "", row = 0 } = card.job ?? {}
    const saved = await store.jobs.row(id, row)
    const body = { ...(saved?.notes?.["body"] as object), denomination: 500 }
    await store.jobs.changeRows(id, [{ row, from: ["confirmed"], set: { notes: { ...saved?.notes, body } } }])
    expect((await reveal()).status).toBe(409)
    expect(sent()).toHaveLength(1)
  })
})

it("leaves no link in the store, the events, the log or any other answer", async () => {
  const clock = createFakeClock()
  const store = createMemoryStore(clock)
  const app = createCardApp({}, { store })
  apps.push(app)
  await app.carryOut([cardRow, { ...cardRow, cardId: "card_testmode" }])
  const cards = await app.register()
  const links = new Set<string>()
  for (const { id } of cards) {
    const answer = await app.ask(`POST /cards/${id}/reveal`, { body: { reason } })
    links.add(link.exec(JSON.stringify(answer.body))?.[0] ?? "")
  }
  expect([links.size, links.has("")]).toEqual([2, false])
  const [card] = cards
  const answers = []
  for (const line of [
    "GET /cards",
    `GET /cards/${card?.id}`,
    `GET /giftcard/cards/${card?.id}`,
    "GET /jobs",
    `GET /jobs/${card?.job?.id}/rows`,
    `GET /jobs/${card?.job?.id}/rows/1/candidates`,
    "GET /audit?per_page=100",
    "GET /status",
    "GET /settings/cardPairs",
    `POST /cards/${card?.id}/look-up`,
  ])
    answers.push((await app.ask(line)).body)
  const everything = JSON.stringify([answers, app.events, app.logged, ...(await store.snapshot()).values()])
  expect(everything).toContain(card?.id)
  expect(everything).not.toMatch(/redeem\.giftcards|redeemUrl/i)
})
