import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { cardReader } from "../../../contract/giftcard/card.ts"
import { refusal } from "../../../tests/support/test-app.tsx"
import { card, foundCard, openCards, refusedByService } from "../../../tests/support/giftcards/open-cards.tsx"
import { fill } from "../../../tests/support/open-page.tsx"

const drawer = async () => within(await screen.findByRole("dialog", { name: "Look up a card" }))
const unknownHere = { "GET /api/cards/gc_9": () => refusal(404, "not_found") }

test("card lookup finds a card of the register by id and opens it", async () => {
  const { user, router } = await openCards("/cards?open=look-up", {
    handlers: { "GET /api/giftcard/cards/gc_1": () => foundCard("gc_1") },
  })
  const box = await drawer()
  await user.type(box.getByLabelText("Card id or reference"), "gc_1{Enter}")
  expect(await box.findByText("In the register")).toBeVisible()
  expect(box.getByText("$100.00")).toBeVisible()
  expect(router.state.location.search).toEqual({ open: "look-up", find: "gc_1" })
  expect(box.getByRole("link", { name: "Open the card" })).toHaveAttribute("href", "/cards/gc_1")
})

test("card lookup adds a card issued elsewhere to the register", async () => {
  const bodies: unknown[] = []
  const { user } = await openCards("/cards?open=look-up&find=SPRINT%2F7", {
    handlers: {
      "GET /api/giftcard/cards/SPRINT%2F7": () => foundCard("gc_9", { externalRef: "SPRINT/7" }),
      ...unknownHere,
      "POST /api/cards/adopt": ({ body }) => {
        bodies.push(body)
        return card("gc_9", { origin: "adopted", job: null })
      },
    },
  })
  const box = await drawer()
  await user.click(await box.findByRole("button", { name: "Add to the register" }))
  expect(await box.findByText("Added to the register")).toBeVisible()
  expect(bodies).toEqual([{ id: "gc_9" }])
})

test("card lookup asks for the template of an ambiguous reference and searches it", async () => {
  const lookups: string[] = []
  const { user, router } = await openCards("/cards?open=look-up&find=NPS-1", {
    handlers: {
      "GET /api/giftcard/cards/NPS-1": ({ query }) => {
        lookups.push(query.toString())
        return query.has("cardId")
          ? foundCard("gc_9", { cardId: "card_bunnings" })
          : refusedByService(409, 409, "AMBIGUOUS_EXTERNAL_REF")
      },
      ...unknownHere,
    },
  })
  const box = await drawer()
  expect(await box.findByText("Several cards have this reference")).toBeVisible()
  await user.click(await box.findByRole("button", { name: "Bunnings" }))
  expect(await box.findByText("Not in the register")).toBeVisible()
  expect(lookups).toEqual(["", "cardId=card_bunnings"])
  expect(router.state.location.search).toEqual({ open: "look-up", find: "NPS-1", in: "card_bunnings" })
})

test.each([
  ["404", refusedByService(404, 404, null)],
  ["another 4xx without a code", refusedByService(422, 400, null)],
])(
  "card lookup of an unknown id (%s) shows that there is none, and offers the register",
  async (_name, answer) => {
    await openCards("/cards?open=look-up&find=nope", {
      handlers: { "GET /api/giftcard/cards/nope": () => answer.clone() },
    })
    const box = await drawer()
    expect(await box.findByText("The service has no card “nope”")).toBeVisible()
    expect(box.getByRole("link", { name: "Search the register" })).toHaveAttribute(
      "href",
      "/cards?search=nope",
    )
  },
)

test("card lookup explains a key without the permission from the catalogue", async () => {
  await openCards("/cards?open=look-up&find=gc_1", {
    handlers: { "GET /api/giftcard/cards/gc_1": () => refusedByService(403, 403, "PERMISSION_DENIED") },
  })
  const box = await drawer()
  expect(await box.findByText("The gift-card API key lacks permission")).toBeVisible()
})

test("card lookup leads an e-mail to the register, since the service cannot search by it", async () => {
  const { user, requests, router } = await openCards("/cards?open=look-up")
  const box = await drawer()
  await fill(user, box.getByLabelText("Card id or reference"), "ana@coastal.test")
  expect(box.getByRole("button", { name: "Look up" })).toBeDisabled()
  await user.click(box.getByRole("link", { name: "Search the register for ana@coastal.test" }))
  await waitFor(() => expect(router.state.location.search).toEqual({ search: "ana@coastal.test" }))
  expect(requests.filter((line) => line.includes("/giftcard/"))).toEqual([])
})

test("card lookup lets a viewer look up but not add", async () => {
  await openCards("/cards?open=look-up&find=gc_9", {
    role: "viewer",
    handlers: { "GET /api/giftcard/cards/gc_9": () => foundCard("gc_9"), ...unknownHere },
  })
  const box = await drawer()
  expect(await box.findByRole("button", { name: "Add to the register" })).toHaveAttribute(
    "aria-disabled",
    "true",
  )
})

test("card lookup shows damaged fields as received, with the other facts", async () => {
  const shown = cardReader.show(foundCard("gc_9", { amount: "a hundred", issuedAt: 9, externalRef: 77 }))
  if (!shown.ok) throw new Error(shown.reason)
  await openCards("/cards?open=look-up&find=gc_9", {
    handlers: {
      "GET /api/giftcard/cards/gc_9": () => Response.json({ success: true, data: shown.value }),
      ...unknownHere,
    },
  })
  const box = await drawer()
  for (const text of ["a hundred", "9", "77", "gc_9"]) expect(await box.findByText(text)).toBeVisible()
})
