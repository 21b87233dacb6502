import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { card, openCards } from "../../../tests/support/giftcards/open-cards.tsx"
import { fill } from "../../../tests/support/open-page.tsx"

const link = "https://redeem.giftcards.test/r/tok_secret"

// The page and its dialog are loaded one after the other, which takes a while on a busy machine.
const dialog = () => screen.findByRole("dialog", { name: "Reveal the redeem link" })

function conflict(message: string) {
  return Response.json(
    { success: false, error: { code: "conflict", message, requestId: "r-1" } },
    { status: 409 },
  )
}

test("redeem link is shown after a reason, on this screen only, and removed on close", async () => {
  const bodies: unknown[] = []
  const { user, router, queryClient } = await openCards("/cards/gc_1?open=reveal", {
    handlers: {
      "POST /api/cards/gc_1/reveal": ({ body }) => {
        bodies.push(body)
        return { redeem_url: link, alarm: null }
      },
    },
  })
  const box = within(await dialog())
  expect(await box.findByText("The service may e-mail Ana Silva again")).toBeVisible()
  expect(box.getByRole("button", { name: "Reveal the link" })).toBeDisabled()
  await fill(user, box.getByLabelText("Reason for revealing"), "It never arrived")
  await user.click(box.getByRole("button", { name: "Reveal the link" }))
  expect(await box.findByText(link)).toBeVisible()
  expect(bodies).toEqual([{ reason: "It never arrived" }])
  await user.click(box.getByRole("button", { name: "Copy the link" }))
  expect(await navigator.clipboard.readText()).toBe(link)
  const stored = JSON.stringify([
    queryClient
      .getQueryCache()
      .getAll()
      .map((query) => query.state.data),
    queryClient
      .getMutationCache()
      .getAll()
      .map((mutation) => mutation.state),
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
    router.state.location.href,
  ])
  expect(stored).not.toContain("tok_secret")
  await user.click(box.getByRole("button", { name: "Done" }))
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument())
  expect(document.body.textContent).not.toContain("tok_secret")
})

test("a new card in place of the old one shows an alarm without a link", async () => {
  const { user } = await openCards("/cards?open=reveal&card=gc_1", {
    handlers: {
      "POST /api/cards/gc_1/reveal": () => ({
        redeem_url: null,
        alarm: { card_id: "gc_9", message: "The service issued a new card, gc_9." },
      }),
    },
  })
  const box = within(await dialog())
  await user.type(await box.findByLabelText("Reason for revealing"), "Requested{Enter}")
  expect(await box.findByRole("alert")).toHaveTextContent("The service issued a new card, gc_9.")
  expect(box.getByRole("link", { name: "Open the new card" })).toHaveAttribute("href", "/cards/gc_9")
  expect(box.queryByRole("button", { name: "Copy the link" })).not.toBeInTheDocument()
})

test.each([
  ["a refusal of the server", "The service responded with a different card, gc_7", "Check both cards."],
  [
    "a card that expired meanwhile",
    "This card has expired, so its link can’t be revealed",
    "Nothing was sent.",
  ],
])("%s is shown in the open dialog", async (_name, happened, next) => {
  const { user } = await openCards("/cards/gc_1?open=reveal", {
    handlers: { "POST /api/cards/gc_1/reveal": () => conflict(`${happened}. No link was shown. ${next}`) },
  })
  const box = within(await dialog())
  await user.type(await box.findByLabelText("Reason for revealing"), "Requested{Enter}")
  expect(await box.findByText(happened)).toBeVisible()
  expect(box.getByText(`No link was shown. ${next}`)).toBeVisible()
  expect(box.getByLabelText("Reason for revealing")).toHaveValue("Requested")
})

test.each([
  [
    "issued elsewhere",
    card("gc_1", { origin: "adopted", job: null, can_reveal: false }),
    "This card was issued elsewhere",
  ],
  [
    "expired",
    card("gc_1", { expires_at: "2020-01-01T00:00:00Z", can_reveal: false }),
    "This card has expired",
  ],
])("a card %s cannot be revealed, with the reason", async (_name, known, title) => {
  await openCards("/cards/gc_1?open=reveal", { cards: [known] })
  const box = within(await dialog())
  expect(await box.findByText(title)).toBeVisible()
  expect(box.queryByRole("button", { name: "Reveal the link" })).not.toBeInTheDocument()
})

test("a role that cannot reveal sees a disabled button with the reason, and the dialog explains it", async () => {
  await openCards("/cards/gc_1?open=reveal", { role: "viewer" })
  expect(await within(await dialog()).findByText("Your role can’t reveal links")).toBeVisible()
})
