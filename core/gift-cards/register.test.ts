import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { digestAtOnce } from "../../tests/faults/in-process.ts"
import { cardRow, createCardApp, type CardApp } from "../../tests/support/card-app.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import type { SandboxOptions } from "../../sandbox/config.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import type { KitOptions } from "../../tests/support/test-kit.ts"

let apps: CardApp[] = []
beforeEach(() => digestAtOnce())
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop()
  vi.restoreAllMocks()
})

function app(options: Partial<SandboxOptions> = {}, kit: KitOptions = {}): CardApp {
  const made = createCardApp(options, kit)
  apps.push(made)
  return made
}

const ids = (cards: readonly { readonly id: string }[]) => cards.map(({ id }) => id)

describe("the register", () => {
  it("has every card that was issued here, found by everything that names it", async () => {
    const { carryOut, register, issued, ask } = app()
    const stranger = { email: "Kim.Lee@outback.example", firstname: "Kim", lastname: "Lee" }
    const { job } = await carryOut([
      cardRow,
      { ...cardRow, member: stranger, cardId: "card_testmode", expiryDays: 30 },
    ])
    expect(ids(await register()).toSorted()).toEqual(ids(issued()).toSorted())
    const [, kim] = issued()
    for (const query of [
      "search=kim.lee",
      "search=Kim%20L",
      `search=${kim?.id}`,
      `search=${job.batch_code}.2`,
      "template=card_testmode",
      "test=yes",
      "expiring_days=31",
    ])
      expect([query, ids(await register(`?${query}`))]).toEqual([query, [kim?.id]])
    expect(await register("?expiring_days=29")).toEqual([])
    expect(await register("?test=yes")).toMatchObject([{ member: { created: true }, is_test: true }])
    expect(await register(`?job=${job.id}&person=usr_manager&status=issued`)).toHaveLength(2)
    expect(ids(await register("?sort=expiring"))[0]).toBe(kim?.id)
    // Viewers see the register, but no people of a job.
    const asViewer = (query: string) => ask(`GET /cards?${query}`, { role: "viewer" })
    const ofJob = JSON.stringify((await asViewer(`job=${job.id}`)).body)
    expect(ofJob).not.toMatch(/Kim|outback/)
    expect((await asViewer(`job=${job.id}&search=kim`)).status).toBe(403)
    expect(JSON.stringify((await asViewer("search=kim.lee")).body)).toContain("Kim Lee")
    expect((await ask("GET /cards?per_page=1&page=2")).body).toMatchObject({
      data: [{}],
      meta: { page: 2, per_page: 1, total: 2 },
    })
    expect((await ask("GET /cards?expires=soon")).status).toBe(400)
    expect((await ask(`GET /cards/${kim?.id}`)).body).toMatchObject({ data: { member: { name: "Kim Lee" } } })
    expect((await ask("GET /cards/gc_none")).status).toBe(404)
    expect((await ask("GET /cards/facets")).body).toMatchObject({
      data: { templates: ["card_testmode", "card_tradevisa"], statuses: ["issued"] },
    })
  })

  it("loses nothing when a process ends between the confirmation and the entry", async () => {
    const clock = createFakeClock()
    const store = createMemoryStore(clock)
    const add = vi.spyOn(store.cards, "add").mockRejectedValue(new Error("gone"))
    const first = app({}, { store })
    const { job, rows } = await first.carryOut([cardRow, cardRow])
    expect([job.counts.confirmed, await first.register()]).toEqual([2, []])
    await first.stop()
    add.mockRestore()
    const second = app({}, { store })
    await second.clock.advance(10)
    expect(ids(await second.register()).toSorted()).toEqual(
      rows.map(({ upstreamId }) => upstreamId ?? "").toSorted(),
    )
    expect(await second.register()).toMatchObject([{ job: { id: job.id } }, { job: { id: job.id } }])
  })

  it("is filled by the instance that ends the job", async () => {
    const clock = createFakeClock()
    const store = createMemoryStore(clock)
    const { carryOut, register, publish, clock: time } = app({}, { store })
    const add = vi.spyOn(store.cards, "add").mockRejectedValue(new Error("gone"))
    const { job } = await carryOut([cardRow])
    add.mockRestore()
    expect(await register()).toEqual([])
    publish({ topic: "job", id: job.id })
    await time.settle()
    expect(await register()).toHaveLength(1)
  })
})

describe("adopting", () => {
  it("adds a card that was issued elsewhere, once, with its member", async () => {
    const { ask, sandbox, register, events } = app()
    const seeded = sandbox.store.cards.withRef("NPS-2291")[0]
    const body = { externalRef: "NPS-2291" }
    expect(await ask("POST /cards/adopt", { role: "manager", body })).toMatchObject({
      status: 201,
      body: {
        data: {
          id: seeded?.id,
          origin: "adopted",
          amount_cents: 10_000,
          template: "card_bunnings",
          status: "issued",
          member: { id: seeded?.memberId, email: expect.stringContaining("@"), name: expect.any(String) },
          job: null,
          can_reveal: false,
        },
      },
    })
    expect((await ask("POST /cards/adopt", { body: { id: seeded?.id } })).status).toBe(200)
    expect(await register()).toHaveLength(1)
    expect(events).toContainEqual({ topic: "cards", id: seeded?.id })
    expect((await ask("GET /audit?action=card.adopt")).body).toMatchObject({
      data: [{ on: { id: seeded?.id } }],
    })
  })

  it("asks for the template of an ambiguous reference, and knows no unknown card", async () => {
    const { ask } = app()
    const adopt = (body: object, role: "admin" | "viewer" = "admin") =>
      ask("POST /cards/adopt", { role, body })
    expect(await adopt({ externalRef: "SPRINT-0131" })).toMatchObject({
      status: 409,
      body: { error: { details: { upstream_code: "AMBIGUOUS_EXTERNAL_REF" } } },
    })
    expect((await adopt({ externalRef: "SPRINT-0131", cardId: "card_bunnings" })).status).toBe(201)
    expect((await adopt({ id: "gc_none" })).status).toBe(404)
    expect((await adopt({ id: "a", externalRef: "b" })).status).toBe(422)
    expect((await adopt({ id: "a" }, "viewer")).status).toBe(403)
  })
})

it("looks a card up and shows what the service says now", async () => {
  const { carryOut, register, ask, sandbox, clock } = app({ settings: { expiredCardStatus: "expired" } })
  await carryOut([cardRow])
  const [card] = await register()
  clock.shiftWall(91 * 86_400_000)
  const looked = await ask(`POST /cards/${card?.id}/look-up`, { role: "viewer" })
  expect(looked.body).toMatchObject({
    data: { status: "expired", looked_up_at: expect.any(String), can_reveal: false },
  })
  sandbox.faults.add({ kind: "before-commit-500" })
  expect((await ask(`POST /cards/${card?.id}/look-up`)).status).toBe(502)
  expect((await ask("POST /cards/gc_none/look-up")).status).toBe(404)
})

it("forecasts the fund from what was entered, test cards and adopted ones left out", async () => {
  const { carryOut, ask } = app()
  await carryOut([cardRow, { ...cardRow, cardId: "card_testmode" }])
  await ask("POST /cards/adopt", { body: { externalRef: "NPS-2291" } })
  const costs = { fee_cents: 250, gst_percent: 10, fund_cents: 100_000, fund_at: "2026-11-19T00:00:00Z" }
  expect((await ask("PUT /settings/cardCosts", { body: costs })).status).toBe(200)
  expect((await ask("GET /cards/fund")).body).toMatchObject({
    data: { entered_cents: 100_000, cards: 1, drawn_cents: 5275, left_cents: 94_725 },
  })
})

it("shows a viewer the register, and of a job's rows nothing that names people", async () => {
  const { carryOut, ask } = app()
  const { job } = await carryOut([cardRow])
  expect((await ask("GET /cards", { role: "viewer" })).status).toBe(200)
  expect((await ask("GET /cards", { role: "fulfilment" })).status).toBe(403)
  const rows = await ask(`GET /jobs/${job.id}/rows`, { role: "viewer" })
  expect(rows.body).toMatchObject({ data: [{ input: { denomination: 50, cardId: "card_tradevisa" } }] })
  expect(JSON.stringify(rows.body)).not.toMatch(/Ana|Silva/)
})

describe("a check of references", () => {
  const check = async (made: CardApp, references: readonly object[], ask_service?: boolean) => {
    const body = { references, ...(ask_service !== undefined && { ask_service }) }
    const answer = await made.ask("POST /cards/check-references", { body })
    return (answer.body as { data: unknown }).data
  }
  const row = { ...cardRow, externalRef: "Q3-1" }
  const free = { state: "free", by: null }

  it("names the card that has one, or the row that will, on its template only, and claims nothing", async () => {
    const made = app({}, { config: { defaultCard: "card_tradevisa" } })
    const { job, rows } = await made.carryOut([row])
    const taken = { card_id: rows[0]?.upstreamId, registered: true, job: { id: job.id, row: 1 } }
    const references = [
      { reference: "Q3-1" },
      { reference: "Q3-1", template: "card_tradevisa" },
      { reference: "Q3-1", template: "card_bunnings" },
      { reference: "Q3-2" },
    ]
    const ends = [{ state: "taken", by: taken }, { state: "taken", by: taken }, free, free]
    expect(await check(made, references)).toEqual(ends)
    expect(await check(made, references)).toEqual(ends)
    expect((await made.carryOut([{ ...row, externalRef: "Q3-2" }])).rows).toMatchObject([
      { state: "confirmed" },
    ])
  })

  it("finds a reference that was stored with invisible characters", async () => {
    const made = app({}, { config: { defaultCard: "card_tradevisa" } })
    const { rows } = await made.carryOut([row])
    const id = rows[0]?.upstreamId ?? ""
    const hidden = { reference: "Q3-\u200b9", own_reference: null }
    await made.store.cards.update(id, (card) => ({ ...card, ...hidden }))
    const taken = { state: "taken", by: expect.objectContaining({ card_id: id }) }
    expect(await check(made, [{ reference: "Q3-9" }, { reference: "Q3-\u200b9" }])).toEqual([taken, taken])
    expect((await made.carryOut([{ ...row, externalRef: "Q3-9" }])).rows).toMatchObject([
      { state: "failed", outcome: { code: "reference_taken" } },
    ])
  })

  it("names a row that has not issued its card yet, and none that never will", async () => {
    const made = app({ fundCents: 0 })
    const { job } = await made.carryOut([row])
    const waiting = { card_id: null, registered: false, job: { id: job.id, row: 1 } }
    const references = [{ reference: "Q3-1", template: "card_tradevisa" }]
    expect(await check(made, references)).toEqual([{ state: "taken", by: waiting }])
    await made.ask(`POST /jobs/${job.id}/cancel`)
    await made.untilStill(job.id)
    expect(await check(made, references)).toEqual([free])
  })

  it("calls the service for one reference only when requested: one request", async () => {
    const made = app()
    const lookups = () => made.sandbox.requests.entries.filter(({ method }) => method === "GET").length
    const elsewhere = made.sandbox.store.cards.withRef("NPS-2291", "card_bunnings")[0]
    const references = [{ reference: "NPS-2291", template: "card_bunnings" }]
    expect(await check(made, references)).toEqual([free])
    expect(lookups()).toBe(0)
    const by = { card_id: elsewhere?.id, registered: false, job: null }
    expect(await check(made, references, true)).toEqual([{ state: "taken", by }])
    expect(await check(made, [{ reference: "Q3-7", template: "card_bunnings" }], true)).toEqual([free])
    expect(lookups()).toBe(2)
    await made.ask("POST /cards/adopt", { body: { id: elsewhere?.id } })
    const before = lookups()
    expect(await check(made, references, true)).toEqual([{ state: "taken", by: { ...by, registered: true } }])
    expect(lookups()).toBe(before)
  })

  it.each(["none", "object"] as const)(
    "says that it is not known when the service cannot be asked (errors as %s)",
    async (giftcardErrorShape) => {
      const made = app({ settings: { giftcardErrorShape } })
      made.sandbox.faults.add({ kind: "before-commit-500", match: { api: "giftcard" } })
      const references = [{ reference: "Q3-1", template: "card_bunnings" }]
      expect(await check(made, references, true)).toEqual([{ state: "unknown", by: null }])
      made.sandbox.faults.clear()
      made.sandbox.faults.add({ kind: "before-commit-500", status: 409, match: { api: "giftcard" } })
      const several = { card_id: null, registered: false, job: null }
      expect(await check(made, references, true)).toEqual([{ state: "taken", by: several }])
    },
  )

  it("does not wait for a budget that others use up", async () => {
    const made = app({}, { rateLimit: 2 })
    const ends: unknown[] = []
    for (let number = 0; number < 4; number += 1) {
      const one = check(made, [{ reference: `Q3-${number}`, template: "card_bunnings" }], true)
      await made.clock.advance(5000)
      ends.push(await one)
    }
    expect(ends[0]).toEqual([free])
    expect(ends[3]).toEqual([{ state: "unknown", by: null }])
  })
})
