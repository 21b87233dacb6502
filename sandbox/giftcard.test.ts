import { describe, expect, it } from "vitest"
import { ana, testClient } from "../tests/support/sandbox/client.ts"

const cards = "/giftcard/cards"
const member = { email: "ana.silva@coastalclimate.com.au", firstname: "Ana", lastname: "Silva" }
const body = {
  member,
  denomination: 50,
  cardId: "card_bunnings",
  externalRef: "REF-1",
  idempotencyKey: "key-1",
}

describe("issue", () => {
  it("answers 201 with the card, the member and the link, and sends one e-mail", async () => {
    const { giftcard, sandbox, time } = testClient()
    const answer = await giftcard("POST", cards, { ...body, unsubscribeUrl: "https://x.example/u" })
    expect(answer.status).toBe(201)
    expect(answer.record).toEqual({
      id: expect.stringMatching(/^gc_/),
      status: "issued",
      amount: 50,
      expiresAt: new Date(time.now() + 90 * 86_400_000).toISOString(),
      redeemUrl: expect.stringMatching(/^https:/),
      isTest: false,
      externalRef: "REF-1",
    })
    expect(answer.body).toMatchObject({ memberId: ana, memberCreated: false, message: expect.any(String) })
    expect(answer.body).not.toHaveProperty("success")
    expect(sandbox.store.cards.outbox).toMatchObject([
      { to: member.email, issuedId: answer.record["id"], unsubscribeUrl: "https://x.example/u" },
    ])
    expect(sandbox.store.ledger).toMatchObject([{ kind: "card", id: answer.record["id"], amount: 50 }])
  })

  it("takes face value, fee and GST from the fund for a live card, nothing for a test card", async () => {
    const { giftcard, sandbox } = testClient({ fundCents: 100_000 })
    await giftcard("POST", cards, { ...body, cardId: "card_tradevisa" })
    expect(sandbox.store.fundCents).toBe(100_000 - 5000 - 250 - 25)
    const test = await giftcard("POST", cards, { ...body, cardId: "card_testmode", idempotencyKey: "key-2" })
    expect(test.record["isTest"]).toBe(true)
    expect(sandbox.store.fundCents).toBe(94_725)
  })

  it("matches the account key before the e-mail, then the e-mail, else creates a Pending member", async () => {
    const { giftcard, program, sandbox } = testClient()
    const dalia = sandbox.store.members.findByEmail("dalia@topendclimate.com.au")?.id
    const byKey = await giftcard("POST", cards, { ...body, member: { ...member, accountKey: "AK-100004" } })
    expect(byKey.body["memberId"]).toBe(dalia)
    const stranger = {
      email: "stranger@outback.example",
      firstname: "S",
      lastname: "T",
      accountKey: "AK-NEW",
      mobile: "0491 570 006",
    }
    const made = await giftcard("POST", cards, {
      ...body,
      member: stranger,
      externalRef: "REF-2",
      idempotencyKey: "key-2",
    })
    expect(made.body["memberCreated"]).toBe(true)
    const id = String(made.body["memberId"])
    expect((await program("GET", `/members/${id}`)).record).toMatchObject({
      status: "Pending",
      email: stranger.email,
    })
    const again = { ...stranger, email: "other@outback.example" }
    const found = await giftcard("POST", cards, {
      ...body,
      member: again,
      externalRef: "REF-3",
      idempotencyKey: "key-3",
    })
    expect(found.body).toMatchObject({ memberId: id, memberCreated: false })
  })

  it("uses the default card without a cardId, and answers NO_CARD_SPECIFIED without a default", async () => {
    const { giftcard, sandbox } = testClient()
    const { cardId: _, ...rest } = body
    await giftcard("POST", cards, rest)
    expect(sandbox.store.ledger).toMatchObject([{ cardId: "card_tradevisa" }])
    sandbox.settings.defaultCard = null
    const none = await giftcard("POST", cards, { ...rest, idempotencyKey: "key-2" })
    expect(none.status).toBe(400)
    expect(none.body).toMatchObject({ error: { code: "NO_CARD_SPECIFIED" } })
  })
})

describe("refusals", () => {
  it.each([
    ["no member", { ...body, member: undefined }, 400, "VALIDATION_ERROR"],
    ["no e-mail", { ...body, member: { firstname: "A", lastname: "B" } }, 400, "VALIDATION_ERROR"],
    ["29 days", { ...body, expiryDays: 29 }, 400, "VALIDATION_ERROR"],
    ["366 days", { ...body, expiryDays: 366 }, 400, "VALIDATION_ERROR"],
    ["30.5 days", { ...body, expiryDays: 30.5 }, 400, "VALIDATION_ERROR"],
    ["a reference of 256", { ...body, externalRef: "r".repeat(256) }, 400, "VALIDATION_ERROR"],
    ["a key of 256", { ...body, idempotencyKey: "k".repeat(256) }, 400, "VALIDATION_ERROR"],
    ["a text as denomination", { ...body, denomination: "50" }, 400, "VALIDATION_ERROR"],
    ["a denomination that is not on the card", { ...body, denomination: 55 }, 400, "INVALID_ARGUMENT"],
    ["no such template", { ...body, cardId: "card_none" }, 404, undefined],
    ["no catalogue", { ...body, cardId: "card_nocatalogue" }, 422, "SETUP_INCOMPLETE_CATALOGUE"],
    ["no pictures", { ...body, cardId: "card_nopictures" }, 422, "SETUP_INCOMPLETE_DENOMINATIONS"],
    ["no client name", { ...body, cardId: "card_noclient" }, 422, "SETUP_INCOMPLETE_CLIENT_NAME"],
    [
      "a picture not produced",
      { ...body, cardId: "card_tradevisa", denomination: 1000 },
      422,
      "DENOMINATION_NOT_PRODUCED",
    ],
  ])("%s", async (_, sent, status, code) => {
    const { giftcard, sandbox } = testClient()
    const answer = await giftcard("POST", cards, sent)
    const message: unknown = expect.any(String)
    expect(answer.status).toBe(status)
    expect(answer.body["error"]).toEqual(code === undefined ? { message } : { code, message })
    expect(sandbox.store.ledger).toEqual([])
    expect(sandbox.store.cards.outbox).toEqual([])
  })

  it("an empty fund: 402 creates no member, and the same key issues after a top-up", async () => {
    const { giftcard, sandbox } = testClient({ fundCents: 5000 })
    const sent = { ...body, cardId: "card_tradevisa", member: { ...member, email: "new@outback.example" } }
    const dry = await giftcard("POST", cards, sent)
    expect(dry.status).toBe(402)
    expect(dry.body).toMatchObject({ error: { code: "INSUFFICIENT_FUND" } })
    expect(sandbox.store.ledger).toEqual([])
    sandbox.store.setFund(6000)
    expect((await giftcard("POST", cards, sent)).status).toBe(201)
  })

  it("a key without the permission: 403 PERMISSION_DENIED", async () => {
    const reader = testClient({ giftcardScopes: ["read"] })
    const write = await reader.giftcard("POST", cards, body)
    expect(write.status).toBe(403)
    expect(write.body).toMatchObject({ error: { code: "PERMISSION_DENIED" } })
    const writer = testClient({ giftcardScopes: ["write"] })
    expect((await writer.giftcard("GET", `${cards}/NPS-2291`)).status).toBe(403)
  })

  it.each([
    ["object", { error: { code: "NO_CARD_SPECIFIED", message: expect.any(String) } }],
    ["flat", { code: "NO_CARD_SPECIFIED", message: expect.any(String) }],
    ["string", { error: "NO_CARD_SPECIFIED" }],
    ["none", { message: expect.any(String) }],
    ["errorCode", { errorCode: "NO_CARD_SPECIFIED", message: expect.any(String) }],
    ["errors", { errors: [{ code: "NO_CARD_SPECIFIED", message: expect.any(String) }] }],
    ["numeric", { code: 400, message: expect.any(String) }],
  ] as const)("error body as %s", async (giftcardErrorShape, expected) => {
    const { giftcard } = testClient({ settings: { giftcardErrorShape, defaultCard: null } })
    expect((await giftcard("POST", cards, { ...body, cardId: undefined })).body).toEqual(expected)
  })

  it("invalid bodies have another code with the setting", async () => {
    const { giftcard } = testClient({ settings: { giftcardInvalidCode: "INVALID_ARGUMENT" } })
    expect((await giftcard("POST", cards, {})).body).toMatchObject({ error: { code: "INVALID_ARGUMENT" } })
  })
})

const withHeader = (key: string) => ({ headers: { "idempotency-key": key } })

describe("idempotency", () => {
  it("replays the original with 200, the same link, no second card and no second e-mail", async () => {
    const { giftcard, sandbox } = testClient()
    const first = await giftcard("POST", cards, body)
    const replay = await giftcard("POST", cards, body)
    expect(replay.status).toBe(200)
    expect(replay.record).toEqual(first.record)
    expect(sandbox.store.ledger).toHaveLength(1)
    expect(sandbox.store.cards.outbox).toHaveLength(1)
  })

  it("resolves the key: body before header before reference before a generated one", async () => {
    const { giftcard, sandbox } = testClient()
    const { idempotencyKey: _, externalRef: __, ...bare } = body
    const statuses = async (...requests: [object, RequestInit?][]) => {
      const list: number[] = []
      for (const [sent, init] of requests) list.push((await giftcard("POST", cards, sent, init)).status)
      return list
    }
    expect(
      await statuses(
        [{ ...bare, idempotencyKey: "a" }, withHeader("b")],
        [{ ...bare, idempotencyKey: "a" }, withHeader("c")],
      ),
    ).toEqual([201, 200])
    expect(await statuses([bare, withHeader("b")], [{ ...bare, externalRef: "R" }, withHeader("b")])).toEqual(
      [201, 200],
    )
    expect(await statuses([{ ...bare, externalRef: "R" }], [{ ...bare, externalRef: "R" }])).toEqual([
      201, 200,
    ])
    expect(await statuses([bare], [bare])).toEqual([201, 201])
    expect(sandbox.store.ledger.filter((effect) => effect.kind === "card")).toHaveLength(5)
  })

  it("answers IDEMPOTENCY_IN_PROGRESS to a twin, then replays", async () => {
    const { giftcard, time, sandbox } = testClient({ settings: { giftcardProcessingMs: 1000 } })
    const first = giftcard("POST", cards, body)
    const twin = await giftcard("POST", cards, body)
    expect(twin.status).toBe(409)
    expect(twin.body).toMatchObject({ error: { code: "IDEMPOTENCY_IN_PROGRESS" } })
    time.advance(1000)
    expect((await first).status).toBe(201)
    expect((await giftcard("POST", cards, body)).status).toBe(200)
    expect(sandbox.store.ledger).toHaveLength(1)
  })

  it("answers DUPLICATE_EXTERNAL_REF with the card but not its link; another template may reuse the reference", async () => {
    const { giftcard } = testClient()
    const first = await giftcard("POST", cards, body)
    const duplicate = await giftcard("POST", cards, { ...body, idempotencyKey: "key-2" })
    expect(duplicate.status).toBe(409)
    expect(duplicate.body).toMatchObject({
      error: { code: "DUPLICATE_EXTERNAL_REF" },
      data: { id: first.record["id"] },
    })
    expect(duplicate.record).not.toHaveProperty("redeemUrl")
    const other = await giftcard("POST", cards, {
      ...body,
      idempotencyKey: "key-3",
      cardId: "card_tradevisa",
    })
    expect(other.status).toBe(201)
  })

  it("replays a key with another body, and forgets it after its retention", async () => {
    const { giftcard, time, sandbox } = testClient({ settings: { keyRetentionMs: 1000 } })
    const { externalRef: _, ...bare } = body
    await giftcard("POST", cards, bare)
    expect((await giftcard("POST", cards, { ...bare, denomination: 100 })).status).toBe(200)
    time.advance(1001)
    expect((await giftcard("POST", cards, bare)).status).toBe(201)
    expect(sandbox.store.ledger).toHaveLength(2)
  })
})

const path = (id: string) => `/giftcard/cards/${encodeURIComponent(id)}`

it("reads a card by its id and by its reference, without the link", async () => {
  const { giftcard } = testClient()
  const byRef = await giftcard("GET", path("NPS-2291"))
  expect(byRef.status).toBe(200)
  expect(Object.keys(byRef.record)).toEqual([
    "id",
    "status",
    "amount",
    "cardId",
    "memberId",
    "externalRef",
    "isTest",
    "expiresAt",
    "issuedAt",
  ])
  expect(byRef.record).toMatchObject({
    memberId: ana,
    amount: 100,
    status: "issued",
    cardId: "card_bunnings",
  })
  expect((await giftcard("GET", path(String(byRef.record["id"])))).record).toEqual(byRef.record)
})

it("answers AMBIGUOUS_EXTERNAL_REF when several match, until cardId tells them apart", async () => {
  const { giftcard } = testClient()
  const several = await giftcard("GET", path("SPRINT-0131"))
  expect(several.status).toBe(409)
  expect(several.body).toMatchObject({ error: { code: "AMBIGUOUS_EXTERNAL_REF" } })
  const one = await giftcard("GET", `${path("SPRINT-0131")}?cardId=card_bunnings`)
  expect(one.record).toMatchObject({ cardId: "card_bunnings" })
})

it("answers an unknown card with 404", async () => {
  const { giftcard } = testClient()
  expect((await giftcard("GET", path("none"))).status).toBe(404)
})

it("shows an expired card as issued, or expired with the setting", async () => {
  const { giftcard, sandbox } = testClient()
  expect((await giftcard("GET", `${path("SPRINT-0131")}?cardId=card_bunnings`)).record["status"]).toBe(
    "issued",
  )
  sandbox.settings.expiredCardStatus = "expired"
  expect((await giftcard("GET", `${path("SPRINT-0131")}?cardId=card_bunnings`)).record["status"]).toBe(
    "expired",
  )
})

it.each(["a/b", "50% off?", "../cards", "ü#1", "x y"])("finds the reference %s", async (externalRef) => {
  const { giftcard } = testClient()
  const member = { email: "x@outback.example", firstname: "X", lastname: "Y" }
  await giftcard("POST", "/giftcard/cards", { member, denomination: 25, externalRef })
  expect((await giftcard("GET", path(externalRef))).record["externalRef"]).toBe(externalRef)
})
