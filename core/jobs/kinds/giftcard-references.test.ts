import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { digestAtOnce } from "../../../tests/faults/in-process.ts"
import { cardRow, createCardApp, type CardApp } from "../../../tests/support/card-app.ts"
import type { SandboxOptions } from "../../../sandbox/config.ts"

let apps: CardApp[] = []

beforeEach(() => digestAtOnce())
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop()
  vi.restoreAllMocks()
})

function app(options: Partial<SandboxOptions> = {}, config = {}): CardApp {
  const made = createCardApp(options, config)
  apps.push(made)
  return made
}

describe("a person's own reference", () => {
  const own = { ...cardRow, externalRef: "Q3 1/ü#" }
  const references = (bodies: readonly string[]) => bodies.map((body) => String(JSON.parse(body).externalRef))

  it("is sent exactly as given for one card of its template, and a second row is refused", async () => {
    const { carryOut, sent, issued, register, ask } = app()
    const { job, rows } = await carryOut([own, own, { ...own, cardId: "card_bunnings" }])
    expect(rows.map(({ state, outcome }) => [state, outcome?.code])).toEqual([
      ["confirmed", undefined],
      ["failed", "reference_taken"],
      ["confirmed", undefined],
    ])
    expect(references(sent())).toEqual(["Q3 1/ü#", "Q3 1/ü#"])
    expect([issued().length, (await register()).length]).toEqual([2, 2])
    expect((await ask(`GET /jobs/${job.id}/rows/2`)).body).toMatchObject({
      data: { taken_by: { job: { id: job.id, row: 1 } }, attempts: 0 },
    })
    const again = await carryOut([own])
    const first = rows[0]?.upstreamId
    expect((await ask(`GET /jobs/${again.job.id}/rows/1`)).body).toMatchObject({
      data: {
        state: "failed",
        outcome: { code: "reference_taken" },
        taken_by: { card_id: first, registered: true, job: { id: job.id, row: 1 } },
      },
    })
    expect(issued()).toHaveLength(2)
  })

  it("submitted 50 times concurrently issues one card", async () => {
    const { issue, untilStill, sent, issued, ask, register } = app({
      settings: { giftcardProcessingMs: 3000 },
    })
    const made = await Promise.all(Array.from({ length: 50 }, () => issue([own])))
    const ends: string[] = []
    const holders: unknown[] = []
    for (const { body } of made) {
      const { job, rows } = await untilStill((body as { data: { id: string } }).data.id)
      expect(job.state).toBe("done")
      ends.push(rows[0]?.outcome?.code ?? rows[0]?.state ?? "")
      const { body: shown } = await ask(`GET /jobs/${job.id}/rows/1`)
      holders.push((shown as { data: { taken_by?: { job: unknown } } }).data.taken_by?.job)
    }
    expect(ends.toSorted()).toEqual(["confirmed", ...Array.from({ length: 49 }, () => "reference_taken")])
    const [winner] = (await register()).map(({ job }) => job && { id: job.id, row: job.row })
    expect(holders.filter((holder) => holder !== undefined)).toEqual(Array.from({ length: 49 }, () => winner))
    expect([issued().length, new Set(sent()).size]).toEqual([1, 1])
  })

  it("50 times in one file issues one card", async () => {
    const { carryOut, issued, sent } = app()
    const { job } = await carryOut(Array.from({ length: 50 }, () => own))
    expect(job.counts).toMatchObject({ confirmed: 1, failed: 49 })
    expect([issued().length, references(sent())]).toEqual([1, ["Q3 1/ü#"]])
  })

  it("of a registered or adopted card is refused before anything is sent", async () => {
    const { carryOut, ask, sent, sandbox } = app()
    const elsewhere = sandbox.store.cards.withRef("NPS-2291", "card_bunnings")[0]
    expect((await ask("POST /cards/adopt", { body: { id: elsewhere?.id } })).status).toBe(201)
    const { rows } = await carryOut([
      { ...cardRow, cardId: "card_bunnings", denomination: 100, externalRef: "NPS-2291" },
    ])
    expect(rows).toMatchObject([
      {
        state: "failed",
        outcome: { code: "reference_taken" },
        notes: { takenBy: { card_id: elsewhere?.id, registered: true, job: null } },
      },
    ])
    expect(sent()).toEqual([])
  })

  it("that an earlier version sent as an own reference is refused", async () => {
    const { carryOut, store, sent } = app()
    const [card] = (await carryOut([cardRow])).rows
    const known = await store.cards.get(card?.upstreamId ?? "")
    if (known === undefined) throw new Error("The card is not in the register.")
    await store.cards.add({ ...known, id: "gc_before", own_reference: own.externalRef })
    const { rows } = await carryOut([own])
    expect(rows).toMatchObject([{ state: "failed", notes: { takenBy: { card_id: "gc_before" } } }])
    expect(sent()).toHaveLength(1)
  })

  it("of a row that issued nothing is available again", async () => {
    const { carryOut, sent } = app()
    expect((await carryOut([{ ...own, denomination: 55 }])).rows).toMatchObject([{ state: "failed" }])
    expect((await carryOut([own])).rows).toMatchObject([{ state: "confirmed" }])
    expect(references(sent())).toEqual(["Q3 1/ü#", "Q3 1/ü#"])
  })

  it("is taken by a paused job and available after a cancellation", async () => {
    const { carryOut, ask, sandbox, issued, untilStill } = app({ fundCents: 0 })
    const { job } = await carryOut([own])
    expect(job).toMatchObject({ state: "paused" })
    expect((await carryOut([own])).rows).toMatchObject([{ outcome: { code: "reference_taken" } }])
    sandbox.store.setFund(100_000)
    expect((await ask(`POST /jobs/${job.id}/cancel`)).status).toBe(200)
    await untilStill(job.id)
    expect((await carryOut([own])).rows).toMatchObject([{ state: "confirmed" }])
    expect(issued()).toHaveLength(1)
  })

  it("of an absent row is available once a person leaves it, and taken when it is resent", async () => {
    const { carryOut, ask, sandbox, issued, untilStill } = app()
    const drop = sandbox.faults.add({ kind: "drop-before", match: { method: "POST" } })
    const { job, rows } = await carryOut([own])
    expect(rows).toMatchObject([{ state: "absent" }])
    sandbox.faults.remove(drop.id)
    expect((await carryOut([own])).rows).toMatchObject([{ outcome: { code: "reference_taken" } }])
    const decide = (decision: string) => ask(`POST /jobs/${job.id}/rows/1/decision`, { body: { decision } })
    expect((await decide("leave")).status).toBe(200)
    expect((await carryOut([own])).rows).toMatchObject([{ state: "confirmed" }])
    expect((await decide("resend")).status).toBe(200)
    expect((await untilStill(job.id)).rows).toMatchObject([
      { state: "failed", outcome: { code: "reference_taken" } },
    ])
    expect(issued()).toHaveLength(1)
  })

  it("and key of a row stay the same for an unchanged retry", async () => {
    const { carryOut, ask, untilStill, sent, issued, sandbox } = app()
    sandbox.faults.add({ kind: "before-commit-500", status: 422, match: { method: "POST", times: 2 } })
    const { job, rows } = await carryOut([own, cardRow])
    expect(rows).toMatchObject([{ state: "failed" }, { state: "failed" }])
    expect((await ask(`POST /jobs/${job.id}/retry`, { body: { rows: [{ row: 1 }] } })).status).toBe(200)
    await untilStill(job.id)
    expect((await ask(`POST /jobs/${job.id}/retry`, { body: {} })).status).toBe(200)
    expect((await untilStill(job.id)).job).toMatchObject({ counts: { confirmed: 2 } })
    expect([sent().length, new Set(sent()).size, issued().length]).toEqual([4, 2, 2])
  })

  it("of a retried row is refused if another row has it now", async () => {
    const { carryOut, ask, untilStill, issued } = app()
    const { job } = await carryOut([{ ...own, denomination: 55 }])
    await carryOut([own])
    const body = { rows: [{ row: 1, input: own }] }
    expect((await ask(`POST /jobs/${job.id}/retry`, { body })).status).toBe(200)
    expect((await untilStill(job.id)).rows).toMatchObject([{ outcome: { code: "reference_taken" } }])
    const second = { rows: [{ row: 1, input: { ...own, externalRef: "Q3-2" } }] }
    expect((await ask(`POST /jobs/${job.id}/retry`, { body: second })).status).toBe(200)
    expect((await untilStill(job.id)).rows).toMatchObject([{ state: "confirmed" }])
    expect(issued().map(({ externalRef }) => externalRef)).toEqual([own.externalRef, "Q3-2"])
  })
})

describe("a caller's own idempotency key", () => {
  const keyed = { ...cardRow, idempotencyKey: " order 7/ü " }

  it("is sent exactly as given, and repeated by a reveal", async () => {
    const { carryOut, sent, issued, ask } = app()
    const { rows } = await carryOut([keyed])
    expect(JSON.parse(sent()[0] ?? "")).toMatchObject({ idempotencyKey: " order 7/ü " })
    const revealed = await ask(`POST /cards/${rows[0]?.upstreamId ?? ""}/reveal`, {
      role: "admin",
      body: { reason: "It never arrived" },
    })
    expect(revealed).toMatchObject({ status: 200, body: { data: { alarm: null } } })
    expect([sent().length, new Set(sent()).size, issued().length]).toEqual([2, 1, 1])
  })

  it("belongs to one row, and is refused for any other", async () => {
    const { carryOut, sent, issued } = app()
    const other = { ...keyed, denomination: 100 }
    const { job, rows } = await carryOut([keyed, other])
    expect(rows).toMatchObject([
      { state: "confirmed" },
      {
        state: "failed",
        outcome: { code: "key_taken" },
        notes: { takenBy: { job: { id: job.id, row: 1 } } },
      },
    ])
    expect((await carryOut([keyed])).rows).toMatchObject([{ outcome: { code: "key_taken" } }])
    expect([sent().length, issued().length]).toEqual([1, 1])
  })

  it("is kept for an unchanged retry, and refused for a corrected row", async () => {
    const { carryOut, ask, untilStill, sent, issued, sandbox } = app()
    sandbox.faults.add({ kind: "before-commit-500", status: 422, match: { method: "POST", times: 1 } })
    const { job } = await carryOut([keyed])
    const retry = (input: object) =>
      ask(`POST /jobs/${job.id}/retry`, { body: { rows: [{ row: 1, input }] } })
    expect(await retry({ ...keyed, denomination: 100 })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.input.idempotencyKey" }] } } },
    })
    expect((await retry(keyed)).status).toBe(200)
    expect((await untilStill(job.id)).rows).toMatchObject([{ state: "confirmed" }])
    expect([sent().length, new Set(sent()).size, issued().length]).toEqual([2, 1, 1])
  })

  it.each([
    ["one in Laurel's format", "laurel.x.ABCDE.1"],
    ["one over the length limit", "k".repeat(256)],
    ["blanks", "   "],
  ])("%s is refused before anything is stored", async (_, idempotencyKey) => {
    const { issue, store } = app()
    expect(await issue([{ ...cardRow, idempotencyKey }])).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.0.idempotencyKey" }] } } },
    })
    expect(await store.jobs.list({ perPage: 1 })).toEqual([])
  })
})

describe("DUPLICATE_EXTERNAL_REF", () => {
  const own = { ...cardRow, cardId: "card_bunnings", denomination: 100, externalRef: "NPS-2291" }

  it("on a first attempt is an earlier card, which a person sees", async () => {
    const { carryOut, issued, ask, sandbox } = app()
    const earlier = sandbox.store.cards.withRef("NPS-2291", "card_bunnings")[0]
    const { job, rows } = await carryOut([own])
    expect(rows).toMatchObject([{ state: "conflict", outcome: { code: "earlier_card" }, upstreamId: null }])
    expect(rows[0]?.outcome?.message).toContain(earlier?.id)
    expect(issued()).toEqual([])
    expect(await ask(`GET /jobs/${job.id}/rows/1/candidates`)).toMatchObject({
      status: 200,
      body: { data: { candidates: [{ upstream_id: earlier?.id, has_batch_code: false, claimed_by: null }] } },
    })
  })

  it("after an unknown attempt is an earlier card if it was issued before", async () => {
    const { carryOut, issued, sandbox } = app()
    sandbox.faults.add({ kind: "drop-before", match: { method: "POST", times: 1 } })
    expect((await carryOut([own])).rows).toMatchObject([
      { state: "conflict", outcome: { code: "earlier_card" } },
    ])
    expect(issued()).toEqual([])
  })

  it("after an unknown attempt that issued it with an expired key is this row's card", async () => {
    const { carryOut, issued, sandbox, register } = app({ settings: { keyRetentionMs: 100 } })
    sandbox.faults.add({ kind: "drop-after", match: { method: "POST", times: 1 } })
    const { rows } = await carryOut([cardRow])
    expect(issued()).toHaveLength(1)
    expect(rows).toMatchObject([{ state: "confirmed", upstreamId: issued()[0]?.id }])
    expect(await register()).toMatchObject([{ id: issued()[0]?.id, is_test: false, status: "issued" }])
  })
})

describe.each(["none", "numeric"] as const)("a 409 with an unreadable code (%s)", (giftcardErrorShape) => {
  const own = { ...cardRow, cardId: "card_bunnings", denomination: 100, externalRef: "NPS-2291" }

  it("for a reference with a card is sent once, looked up and linked", async () => {
    const { carryOut, issued, sent, sandbox } = app({ settings: { giftcardErrorShape } })
    const earlier = sandbox.store.cards.withRef("NPS-2291", "card_bunnings")[0]
    const { rows } = await carryOut([own])
    expect(rows).toMatchObject([{ state: "conflict", outcome: { code: "earlier_card" } }])
    expect(rows[0]?.outcome?.message).toContain(earlier?.id)
    expect([issued().length, sent().length]).toEqual([0, 1])
  })

  it("during the first attempt is found by its reference as one card", async () => {
    const { carryOut, issued, sent, sandbox } = app({
      settings: { giftcardErrorShape, giftcardProcessingMs: 20_000 },
    })
    const { rows } = await carryOut([cardRow])
    expect(rows).toMatchObject([{ state: "confirmed", upstreamId: issued()[0]?.id, attempts: 2 }])
    expect([issued().length, sent().length, new Set(sent()).size]).toEqual([1, 2, 1])
    await sandbox.settleAll()
    expect(issued()).toHaveLength(1)
  })

  it("without a card is not repeated automatically and goes to a person", async () => {
    const { carryOut, issued, sent, sandbox } = app({ settings: { giftcardErrorShape } })
    sandbox.faults.add({ kind: "before-commit-500", status: 409, match: { method: "POST", times: 1 } })
    const { rows } = await carryOut([cardRow])
    expect(rows).toMatchObject([{ state: "conflict", outcome: { code: "conflict_unexplained" } }])
    expect([issued().length, sent().length]).toEqual([0, 1])
  })

  it("for an issued card is linked by a person and not issued again", async () => {
    const { carryOut, issued, sent, sandbox, ask, register } = app({ settings: { giftcardErrorShape } })
    sandbox.faults.add({ kind: "after-commit-500", status: 409, match: { method: "POST", times: 1 } })
    const { job, rows } = await carryOut([cardRow])
    const [card] = issued()
    expect(rows).toMatchObject([{ state: "conflict", outcome: { code: "earlier_card" } }])
    expect(rows[0]?.outcome?.message).toContain(card?.id)
    const body = { decision: "happened", upstream_id: card?.id }
    expect((await ask(`POST /jobs/${job.id}/rows/1/decision`, { body })).status).toBe(200)
    expect(await register()).toMatchObject([{ id: card?.id }])
    expect([issued().length, sent().length]).toEqual([1, 1])
  })
})

it("a lookup that finds several cards with the reference goes to a person", async () => {
  const { carryOut, issued, sandbox } = app({ settings: { giftcardErrorShape: "none" } })
  sandbox.faults.add({ kind: "before-commit-500", status: 409, match: { api: "giftcard" } })
  const { rows } = await carryOut([cardRow])
  expect(rows).toMatchObject([{ state: "conflict", outcome: { code: "reference_ambiguous" } }])
  expect(issued()).toEqual([])
})
