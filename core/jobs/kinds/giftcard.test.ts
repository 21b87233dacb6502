import { integrationDefault } from "../../../contract/cards.ts"
import * as z from "zod/mini"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { digestAtOnce } from "../../../tests/faults/in-process.ts"
import { cardRow, createCardApp, type CardApp } from "../../../tests/support/card-app.ts"
import type { SandboxOptions } from "../../../sandbox/config.ts"
import { storableMessage } from "./giftcard-notes.ts"
import type { FaultInput } from "../../../sandbox/faults.ts"

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

describe("issuing a card", () => {
  it("always sends key, reference and template, and 201 confirms it", async () => {
    const { carryOut, sent, issued, register } = app()
    const { job, rows } = await carryOut([{ ...cardRow, expiryDays: 60 }])
    const body = JSON.parse(sent()[0] ?? "")
    expect(body).toMatchObject({
      cardId: "card_tradevisa",
      expiryDays: 60,
      externalRef: `${job.batch_code}.1`,
      idempotencyKey: expect.stringContaining(`${job.batch_code}.1`),
    })
    expect([job.state, rows[0]?.state, rows[0]?.upstreamId]).toEqual(["done", "confirmed", issued()[0]?.id])
    expect(await register()).toMatchObject([
      {
        id: issued()[0]?.id,
        origin: "issued",
        amount_cents: 5000,
        reference: `${job.batch_code}.1`,
        member: { email: cardRow.member.email, name: "Ana Silva", created: false },
        job: { id: job.id, row: 1 },
        is_test: false,
        replayed: false,
        message: "Gift card issued",
        can_reveal: true,
      },
    ])
  })

  it.each<[string, FaultInput]>([
    ["no response after processing", { kind: "drop-after" }],
    ["no response before processing", { kind: "drop-before" }],
    ["500 after", { kind: "after-commit-500" }],
    ["500 before", { kind: "before-commit-500" }],
    ["a web page", { kind: "html" }],
    ["a truncated response", { kind: "truncated" }],
    ["a time-out", { kind: "hang", commit: true }],
    ["429", { kind: "429" }],
    ["a response without the id", { kind: "missing-field", field: "id" }],
    ["a field of the wrong type", { kind: "wrong-type", field: "amount" }],
    ["a late commit", { kind: "late-commit", ms: 20_000, answer: "drop" }],
  ])("repeats the identical request after %s", async (_, fault) => {
    const { carryOut, sent, issued, sandbox, register } = app()
    sandbox.faults.add({ ...fault, match: { method: "POST", times: 3 } })
    const { rows } = await carryOut([cardRow])
    await sandbox.settleAll()
    expect(rows).toMatchObject([{ state: "confirmed" }])
    expect([issued().length, new Set(sent()).size, sent().length]).toEqual([1, 1, 4])
    expect(await register()).toHaveLength(1)
  })

  it("repeats the request while the first one is in progress", async () => {
    const { carryOut, sent, issued } = app({ settings: { giftcardProcessingMs: 20_000 } })
    const { rows } = await carryOut([cardRow])
    expect(rows).toMatchObject([{ state: "confirmed", upstreamId: issued()[0]?.id }])
    expect([issued().length, new Set(sent()).size]).toEqual([1, 1])
    expect(sent().length).toBeGreaterThan(2)
  })

  it("shows the service's message of a 200 with an error until the repeat", async () => {
    const { issue, untilStill, ask, clock, sent, issued, sandbox } = app()
    const fault = { kind: "before-commit-500", status: 200, match: { method: "POST", times: 1 } } as const
    sandbox.faults.add(fault)
    const made = await issue([cardRow])
    const { id } = (made.body as { data: { id: string } }).data
    while (sent().length === 0) await clock.advance(100)
    await clock.advance(100)
    expect((await ask(`GET /jobs/${id}/rows`)).body).toMatchObject({
      data: [{ state: "planned", outcome: { message: expect.stringMatching(/\w/) } }],
    })
    const { rows } = await untilStill(id)
    expect(rows).toMatchObject([{ state: "confirmed", outcome: null }])
    expect([issued().length, new Set(sent()).size, sent().length]).toEqual([1, 1, 2])
  })

  it("repeats the request after a 408", async () => {
    const { carryOut, sent, issued, sandbox } = app()
    sandbox.faults.add({ kind: "after-commit-500", status: 408, match: { method: "POST", times: 1 } })
    expect((await carryOut([cardRow])).rows).toMatchObject([{ state: "confirmed" }])
    expect([issued().length, new Set(sent()).size, sent().length]).toEqual([1, 1, 2])
  })
})

it("at most four cards of a job are issued at a time", async () => {
  const { sandbox, carryOut } = app()
  sandbox.faults.add({ kind: "slow", ms: 3000 })
  let calls = 0
  let most = 0
  const answer = sandbox.fetch.bind(sandbox)
  vi.spyOn(sandbox, "fetch").mockImplementation(async (request) => {
    if (request.method === "POST") calls += 1
    most = Math.max(most, calls)
    const response = await answer(request)
    if (request.method === "POST") calls -= 1
    return response
  })
  const { job } = await carryOut(
    Array.from({ length: 12 }, (_, row) => ({ ...cardRow, externalRef: `card ${row}` })),
  )
  expect(job.counts.confirmed).toBe(12)
  expect(most).toBe(4)
})

describe("the template", () => {
  it("defaults to the settings, otherwise to the configuration", async () => {
    const { cardId: _, ...bare } = cardRow
    const { carryOut, ask } = app({}, { config: { defaultCard: "card_bunnings" } })
    expect((await carryOut([bare])).rows).toMatchObject([{ input: { cardId: "card_bunnings" } }])
    await ask("PUT /settings/cardTemplates", { body: { templates: [], default: "card_testmode" } })
    expect((await carryOut([bare])).rows).toMatchObject([{ input: { cardId: "card_testmode" } }])
  })

  it("can be given by id or entered name, and an unknown name is refused with the possible ones", async () => {
    const { carryOut, issue, ask } = app()
    const templates = [{ id: "card_tradevisa", name: "Trade Visa", denominations: [] }]
    await ask("PUT /settings/cardTemplates", { body: { templates, default: null } })
    const { rows } = await carryOut([{ ...cardRow, cardId: " trade VISA " }])
    expect(rows).toMatchObject([{ state: "confirmed", input: { cardId: "card_tradevisa" } }])
    // An unknown id may exist at the service; an unknown name cannot.
    expect((await carryOut([{ ...cardRow, cardId: "card_bunnings" }])).rows).toMatchObject([
      { state: "confirmed" },
    ])
    for (const [text, meant] of [
      ["Coles", "Valid names: Trade Visa."],
      ["Trad Visas", 'Did you mean "Trade Visa"?'],
    ]) {
      const message = `Template "${text}" doesn’t exist. ${meant} No card was issued.`
      expect(await issue([cardRow, { ...cardRow, cardId: text }])).toMatchObject({
        status: 422,
        body: { error: { details: { fields: [{ field: "rows.1.cardId", message }] } } },
      })
    }
  })

  describe("left to the integration's default", () => {
    const bare = { ...cardRow, cardId: "Integration’s default" }

    it("is not sent, unlike key and reference, and is read after the issue", async () => {
      const { carryOut, sent, register, issued } = app()
      const { job, rows } = await carryOut([bare])
      const body = JSON.parse(sent()[0] ?? "")
      expect(body).not.toHaveProperty("cardId")
      expect(body).toMatchObject({
        externalRef: `${job.batch_code}.1`,
        idempotencyKey: expect.stringContaining(`${job.batch_code}.1`),
      })
      expect(rows).toMatchObject([{ state: "confirmed", upstreamId: issued()[0]?.id }])
      expect(await register()).toMatchObject([{ template: "card_tradevisa" }])
    })

    it("stays the default if the key cannot look cards up", async () => {
      const { carryOut, register } = app({ giftcardScopes: ["write"] })
      expect((await carryOut([bare])).rows).toMatchObject([{ state: "confirmed" }])
      expect(await register()).toMatchObject([{ template: integrationDefault }])
    })

    it("is looked up without a template after an unknown attempt", async () => {
      const { carryOut, sandbox, sent, issued } = app()
      sandbox.faults.add({ kind: "after-commit-500", status: 418, match: { method: "POST", times: 1 } })
      expect((await carryOut([bare])).rows).toMatchObject([
        { state: "confirmed", upstreamId: issued()[0]?.id },
      ])
      expect(sent()).toHaveLength(1)
      const lookups = sandbox.requests.entries.filter(
        ({ method, api }) => method === "GET" && api === "giftcard",
      )
      expect(lookups.map(({ query }) => query)).toEqual(lookups.map(() => ""))
    })

    it("is a conflict if several cards have the reference, without a second key", async () => {
      const { carryOut, sandbox, sent, issued, ask } = app()
      const own = { ...bare, externalRef: "Q3-1" }
      const [first] = (await carryOut([{ ...own, cardId: "card_bunnings" }])).rows
      expect(first).toMatchObject({ state: "confirmed" })
      sandbox.faults.add({ kind: "after-commit-500", status: 418, match: { method: "POST", times: 1 } })
      const { job, rows } = await carryOut([own])
      expect(rows).toMatchObject([{ state: "conflict", outcome: { code: "reference_ambiguous" } }])
      const resend = { body: { decision: "resend" } }
      expect((await ask(`POST /jobs/${job.id}/rows/1/decision`, resend)).status).toBe(409)
      const keys = new Set(sent().map((text) => JSON.parse(text).idempotencyKey))
      expect([keys.size, issued().length]).toEqual([2, 2])
    })

    it("is a conflict with the card that already has the reference", async () => {
      const { carryOut, issued, sandbox } = app({ settings: { defaultCard: "card_bunnings" } })
      const earlier = sandbox.store.cards.withRef("NPS-2291", "card_bunnings")[0]
      const { rows } = await carryOut([{ ...bare, denomination: 100, externalRef: "NPS-2291" }])
      expect(rows).toMatchObject([{ state: "conflict", outcome: { code: "earlier_card" } }])
      expect(rows[0]?.outcome?.message).toContain(earlier?.id)
      expect(issued()).toEqual([])
    })

    it("may be the default of the settings", async () => {
      const { cardId: _, ...none } = cardRow
      const { carryOut, ask, sent } = app({ settings: { defaultCard: "card_testmode" } })
      await ask("PUT /settings/cardTemplates", { body: { templates: [], default: integrationDefault } })
      expect((await carryOut([none])).rows).toMatchObject([{ state: "confirmed" }])
      expect(sent()[0]).not.toContain("cardId")
    })
  })

  it("is required without a default, and no job is created", async () => {
    const { cardId: _, ...bare } = cardRow
    const { issue, sent, store } = app()
    expect(await issue([cardRow, bare])).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.1.cardId" }] } } },
    })
    expect([sent(), await store.jobs.list({ perPage: 1 })]).toEqual([[], []])
  })
})

describe("pausing the whole job", () => {
  it.each([
    ["402", { fundCents: 0 }, {}, "INSUFFICIENT_FUND"],
    ["403", { giftcardScopes: ["read"] }, {}, "PERMISSION_DENIED"],
    ["no catalogue", {}, { cardId: "card_nocatalogue" }, "SETUP_INCOMPLETE_CATALOGUE"],
    ["no pictures", {}, { cardId: "card_nopictures" }, "SETUP_INCOMPLETE_DENOMINATIONS"],
    ["no client name", {}, { cardId: "card_noclient" }, "SETUP_INCOMPLETE_CLIENT_NAME"],
    ["no such template", {}, { cardId: "card_none" }, "template_not_found"],
    ["a refused key", { giftcardKey: "another-key-of-somebody" }, {}, "401"],
  ] as [string, Partial<SandboxOptions>, object, string][])(
    "%s: one call, and every row is as before",
    async (_, options, change, code) => {
      const { carryOut, sent, issued } = app(options)
      const { job, rows } = await carryOut([{ ...cardRow, ...change }])
      expect(job).toMatchObject({ state: "paused", pause: { code } })
      expect([rows[0]?.state, sent().length, issued().length]).toEqual(["planned", 1, 0])
    },
  )

  it("a missing template: a person excludes its row and the others continue", async () => {
    const { carryOut, ask, untilStill, issued } = app()
    const { job, rows } = await carryOut([cardRow, { ...cardRow, cardId: "card_none" }, cardRow])
    expect(job).toMatchObject({ state: "paused" })
    const refused = rows.find(({ input }) => input["cardId"] === "card_none")
    const leave = (row: number) =>
      ask(`POST /jobs/${job.id}/rows/${row}/decision`, { body: { decision: "leave" } })
    expect((await leave(refused?.row ?? 0)).body).toMatchObject({
      data: { state: "excluded", outcome: { code: "left_out" } },
    })
    expect((await ask("GET /audit?action=job.decide")).body).toMatchObject({
      data: [
        {
          on: { kind: "job", id: job.id, label: `Row ${refused?.row}, Ana Silva` },
          changes: [
            { to: "leave" },
            { field: "amount", to: "50.00" },
            { field: "template", to: "card_none" },
          ],
        },
      ],
    })
    expect((await ask(`POST /jobs/${job.id}/resume`)).status).toBe(200)
    expect((await untilStill(job.id)).job).toMatchObject({ counts: { confirmed: 2, failed: 0, excluded: 1 } })
    expect((await leave(1)).status).toBe(409)
    expect(issued()).toHaveLength(2)
  })

  it("a missing template: the edited row is sent with a new key", async () => {
    const { carryOut, ask, untilStill, issued, sent } = app()
    const none = { ...cardRow, cardId: "card_none", externalRef: "INV-1" }
    const { job, rows } = await carryOut([none, cardRow, { ...cardRow, externalRef: "INV-2" }])
    expect(job).toMatchObject({ state: "paused", pause: { code: "template_not_found" } })
    const edit = (body: object) => ask(`PATCH /jobs/${job.id}/rows`, { body })
    const edited = { ...cardRow, cardId: "card_bunnings", denomination: 100, externalRef: "INV-1" }
    const waiting = rows.filter(({ state }) => state === "planned").map(({ row }) => row)
    expect(waiting).toContain(1)
    // All or none of them, and no unknown names.
    const wrong = [
      { row: 1, input: edited },
      { row: 3, input: { ...cardRow, denomination: -1 } },
    ]
    expect(await edit({ rows: wrong })).toMatchObject({
      status: 422,
      body: { error: { details: { fields: [{ field: "rows.1.input.denomination" }] } } },
    })
    expect((await edit({ rows: [{ row: 1, input: edited }], reason: "Typo" })).status).toBe(200)
    expect((await ask(`POST /jobs/${job.id}/resume`)).status).toBe(200)
    const end = await untilStill(job.id)
    expect(end.job).toMatchObject({ state: "done", counts: { confirmed: 3 } })
    expect(end.rows[0]).toMatchObject({ input: { cardId: "card_bunnings" }, edits: 1, attempts: 2 })
    // Each card once; the edited row with a new key and the same reference.
    expect(issued()).toHaveLength(3)
    const bodies = sent().map((body) => JSON.parse(body))
    const ofRow = bodies.filter(({ externalRef }) => externalRef === "INV-1")
    expect(ofRow.map(({ cardId, denomination }) => [cardId, denomination])).toEqual([
      ["card_none", 50],
      ["card_bunnings", 100],
    ])
    expect(new Set(bodies.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(bodies.length)
    expect(ofRow[1].idempotencyKey).toMatch(/\.1\.1\.e1$/)
    expect((await ask("GET /audit?action=job.edit")).body).toMatchObject({
      data: [
        {
          note: "Typo",
          changes: expect.arrayContaining([
            { field: "row 1 denomination", from: "50", to: "100" },
            { field: "row 1 cardId", from: "card_none", to: "card_bunnings" },
          ]),
        },
      ],
    })
  })

  it("an edited row: releases the reference that it no longer uses", async () => {
    const { carryOut, ask, untilStill, sent } = app({ giftcardKey: "another-key-of-somebody" })
    const row = { ...cardRow, externalRef: "INV-7" }
    const { job } = await carryOut([row])
    expect(job.state).toBe("paused")
    const body = { rows: [{ row: 1, input: { ...row, externalRef: "INV-8" } }] }
    expect((await ask(`PATCH /jobs/${job.id}/rows`, { body })).status).toBe(200)
    const other = await carryOut([row])
    expect(other.job.state).toBe("paused")
    expect(JSON.parse(sent().at(-1) ?? "").externalRef).toBe("INV-7")
    await ask(`POST /jobs/${job.id}/resume`)
    await untilStill(job.id)
    expect(JSON.parse(sent().at(-1) ?? "").externalRef).toBe("INV-8")
  })

  it("an empty fund: the rest is issued once after a top-up", async () => {
    const { carryOut, sandbox, ask, untilStill, issued } = app({ fundCents: 12_000 })
    const { job } = await carryOut(Array.from({ length: 5 }, () => cardRow))
    expect(job).toMatchObject({ state: "paused", pause: { code: "INSUFFICIENT_FUND" } })
    expect(issued()).toHaveLength(2)
    sandbox.store.setFund(100_000)
    expect((await ask(`POST /jobs/${job.id}/resume`)).status).toBe(200)
    expect((await untilStill(job.id)).job).toMatchObject({ state: "done", counts: { confirmed: 5 } })
    expect(issued()).toHaveLength(5)
  })
})

describe("a refused amount", () => {
  const refused = { ...cardRow, denomination: 1000 }

  it("fails its row, is stored, and is retried only with a confirmation, until a success clears it", async () => {
    const { carryOut, sent, ask, sandbox } = app({ fundCents: 100_000_000 })
    const first = await carryOut([refused])
    expect(first.rows).toMatchObject([{ state: "failed", outcome: { code: "DENOMINATION_NOT_PRODUCED" } }])
    expect((await ask("GET /settings/cardPairs")).body).toMatchObject({
      data: {
        refused: [{ card_id: "card_tradevisa", denomination: 1000, code: "DENOMINATION_NOT_PRODUCED" }],
      },
    })
    expect((await carryOut([refused])).rows).toMatchObject([
      { state: "failed", outcome: { code: "pair_refused" }, attempts: 0 },
    ])
    expect(sent()).toHaveLength(1)
    const template = sandbox.store.templates.get("card_tradevisa")
    if (template !== undefined)
      sandbox.store.setTemplate({ ...template, produced: [...template.produced, 1000] })
    expect((await carryOut([{ ...refused, confirm_pair: true }])).rows).toMatchObject([
      { state: "confirmed" },
    ])
    expect((await ask("GET /settings/cardPairs")).body).toMatchObject({ data: { refused: [] } })
    expect(sent().join()).not.toContain("confirm_pair")
  })

  it.each(["split", "INVALID_ARGUMENT", "VALIDATION_ERROR"] as const)(
    "fails also as a field error: %s",
    async (giftcardInvalidCode) => {
      const { carryOut, ask } = app({ settings: { giftcardInvalidCode } })
      const { rows } = await carryOut([{ ...cardRow, denomination: 55 }])
      const code = giftcardInvalidCode === "split" ? "INVALID_ARGUMENT" : giftcardInvalidCode
      expect(rows).toMatchObject([{ state: "failed", outcome: { code } }])
      expect((await ask("GET /settings/cardPairs")).body).toMatchObject({
        data: { refused: [{ denomination: 55 }] },
      })
    },
  )

  it("is stored together with another one that is refused concurrently", async () => {
    const { carryOut, ask, store, clock } = app()
    const put = store.settings.put.bind(store.settings)
    vi.spyOn(store.settings, "put").mockImplementation(async (...saved) => {
      await clock.sleep(100)
      return put(...saved)
    })
    await Promise.all([refused, { ...cardRow, denomination: 55 }].map((row) => carryOut([row])))
    await clock.advance(1000)
    const { body } = await ask("GET /settings/cardPairs")
    expect(body).toMatchObject({
      data: {
        refused: expect.arrayContaining(
          [1000, 55].map((denomination) => expect.objectContaining({ denomination })),
        ),
      },
    })
  })

  it("is retried with another amount and key", async () => {
    const { carryOut, ask, untilStill, sent } = app()
    const { job } = await carryOut([refused])
    const body = { rows: [{ row: 1, input: { ...cardRow, denomination: 100 } }] }
    expect((await ask(`POST /jobs/${job.id}/retry`, { body })).status).toBe(200)
    expect((await untilStill(job.id)).rows).toMatchObject([{ state: "confirmed" }])
    const keys = sent().map((one) => JSON.parse(one).idempotencyKey)
    expect(new Set(keys).size).toBe(2)
  })
})

describe("a card whose calls have no response", () => {
  const strike = ({ sandbox }: CardApp, fault: FaultInput) =>
    sandbox.faults.add({ ...fault, match: { api: "giftcard", method: "POST", ...fault.match } })

  it("is looked up when its job is cancelled, and not issued twice", async () => {
    const made = app()
    const { ask, clock, issue, issued, register, sent, untilStill } = made
    strike(made, { kind: "drop-after", match: { times: 20 } })
    const { data } = z.object({ data: z.object({ id: z.string() }) }).parse((await issue([cardRow])).body)
    while (sent().length < 2) await clock.advance(100)
    await clock.advance(200)
    expect((await ask(`POST /jobs/${data.id}/cancel`, { body: {} })).status).toBe(200)
    const { job, rows } = await untilStill(data.id)
    expect([job.state, rows[0]?.state]).toEqual(["cancelled", "confirmed"])
    expect((await register()).map(({ id }) => id)).toEqual(issued().map(({ id }) => id))
    expect(issued()).toHaveLength(1)
  })

  it("that was refused and corrected does not match someone else's card", async () => {
    const made = app()
    strike(made, { kind: "drop-before", match: { times: 1 } })
    strike(made, { kind: "before-commit-500", status: 400, match: { times: 1 } })
    const { job, rows } = await made.carryOut([cardRow])
    expect(rows).toMatchObject([{ state: "failed", hadUnknownAttempt: true }])
    const theirs = { ...cardRow, externalRef: "NPS-1" }
    const { rows: others } = await made.carryOut([
      { ...theirs, member: { ...theirs.member, email: "x@y.test" } },
    ])
    expect(others).toMatchObject([{ state: "confirmed" }])
    await made.ask(`POST /jobs/${job.id}/retry`, { body: { rows: [{ row: 1, input: theirs }] } })
    expect((await made.untilStill(job.id)).rows).toMatchObject([{ state: "failed" }])
  })
})

describe("error bodies of other shapes", () => {
  it.each(["object", "flat", "string", "errorCode", "errors"] as const)(
    "as %s are read",
    async (giftcardErrorShape) => {
      const { carryOut } = app({ settings: { giftcardErrorShape }, fundCents: 0 })
      expect((await carryOut([cardRow])).job).toMatchObject({ pause: { code: "INSUFFICIENT_FUND" } })
      const other = app({ settings: { giftcardErrorShape } })
      expect((await other.carryOut([{ ...cardRow, denomination: 1000 }])).rows).toMatchObject([
        { state: "failed", outcome: { code: "DENOMINATION_NOT_PRODUCED" } },
      ])
    },
  )

  it.each(["none", "numeric"] as const)(
    "as %s: 422 is a refusal and sent once",
    async (giftcardErrorShape) => {
      const { carryOut, issued, sent } = app({ settings: { giftcardErrorShape } })
      const { rows } = await carryOut([{ ...cardRow, denomination: 1000 }])
      expect(rows).toMatchObject([{ state: "failed", outcome: { code: "422" }, attempts: 1 }])
      expect([issued().length, sent().length]).toEqual([0, 1])
    },
  )
})

it("stores the service's message shortened and without URLs", () => {
  expect(storableMessage("Sent. See https://redeem.test/c/abc?x=1, or ftp://x.test/y.")).toBe(
    "Sent. See [link] or [link]",
  )
  expect([
    storableMessage("  "),
    storableMessage(undefined),
    storableMessage(7),
    storableMessage("a\u0000"),
  ]).toEqual([null, null, null, null])
  expect(storableMessage("x".repeat(2000))?.length).toBeLessThanOrEqual(500)
})
