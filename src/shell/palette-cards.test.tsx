import { screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, it, vi } from "vitest"
import type { Role } from "../../contract/roles.ts"
import { emptyLists, refusal, renderApp, sessionOf } from "../../tests/support/test-app.tsx"

const noneLooked = { rows: 0, since: null, orders: 0, oldest_order_copy: null }

async function openPalette(role: Role, text: string, cards: readonly object[] = []) {
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    ...emptyLists,
    "GET /api/program/members": () => [],
    "GET /api/cards": () => cards,
    "POST /api/orders/used-numbers": () => ({ used: [], looked: noneLooked }),
    [`GET /api/program/orders/${text}`]: () => refusal(404, "not_found"),
  })
  const user = userEvent.setup()
  await screen.findByText("Page not found")
  const go = vi.spyOn(app.router, "navigate").mockResolvedValue(undefined)
  await user.keyboard("{Control>}k{/Control}")
  await screen.findByRole("combobox")
  await user.paste(text)
  return { ...app, user, go }
}

it.each([
  ["SPRINT-0131", "/cards?open=look-up&find=SPRINT-0131"],
  ["gc_7Rk20mXa", "/cards?open=look-up&find=gc_7Rk20mXa"],
  ["93001122334455667788", "/cards?open=look-up&find=%2293001122334455667788%22"],
  ["R/7#2", "/cards?open=look-up&find=R%2F7%232"],
])("looks up what may be a card: %s", async (text, href) => {
  const { user, go } = await openPalette("manager", text)
  await user.click(await screen.findByRole("option", { name: new RegExp(`^Look up card ${text}`) }))
  await waitFor(() => expect(go).toHaveBeenCalledWith({ href }))
})

it("finds the cards of an e-mail in the register", async () => {
  const { user, go } = await openPalette("viewer", "ana@coastal.test")
  await user.click(await screen.findByRole("option", { name: /^Gift cards of ana@coastal.test/ }))
  await waitFor(() => expect(go).toHaveBeenCalledWith({ href: "/cards?search=ana%40coastal.test" }))
})

it("offers no cards to who does not see them", async () => {
  await openPalette("fulfilment", "SPRINT-0131")
  await screen.findByRole("option", { name: /^Open the member/ })
  expect(screen.queryByRole("option", { name: /card/i })).not.toBeInTheDocument()
})
