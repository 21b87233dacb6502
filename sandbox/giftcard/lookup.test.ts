import { expect, it } from "vitest"
import { ana, testClient } from "../../tests/support/sandbox/client.ts"

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

it("answers an unknown card with 404, or 400 when the setting says so", async () => {
  const { giftcard, sandbox } = testClient()
  expect((await giftcard("GET", path("none"))).status).toBe(404)
  sandbox.settings.unknownCardStatus = 400
  expect((await giftcard("GET", path("none"))).status).toBe(400)
})

it("shows an expired card as issued, or expired when the setting says so", async () => {
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
