import { screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { expect, vi } from "vitest"
import { firstCarriers } from "../../contract/orders.ts"
import type { Role } from "../../contract/roles.ts"
import { emptyLists, type Handlers, refusal, renderApp, sessionOf } from "./test-app.tsx"

/** No order uses the number. */
export const nothingUsed = {
  used: [],
  looked: { rows: 0, since: null, orders: 0, oldest_order_copy: null },
}

/** The app on a "not found" page with an empty server; `go` is a spy on the router's `navigate`. */
export async function openPage(role: Role = "manager", handlers: Handlers = {}) {
  const app = renderApp("/nowhere", {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/members": () => [],
    "GET /api/cards": () => [],
    "GET /api/orders": () => [],
    "GET /api/settings/carriers": () => firstCarriers,
    ...emptyLists,
    "POST /api/orders/used-numbers": () => nothingUsed,
    "GET /api/reports/points": () => refusal(403, "forbidden"),
    ...handlers,
  })
  await screen.findByText("Page not found")
  const go = vi.spyOn(app.router, "navigate").mockResolvedValue(undefined)
  const user = userEvent.setup()
  return { ...app, user, go }
}

/** Clears the recorded requests, opens the palette and pastes a text. */
export async function find(app: Awaited<ReturnType<typeof openPage>>, text = "") {
  app.requests.length = 0
  await app.user.keyboard("{Control>}k{/Control}")
  await waitFor(() => expect(field()).toHaveFocus())
  if (text !== "") await app.user.paste(text)
}

export const names = () => screen.queryAllByRole("option").map((option) => option.textContent ?? "")
/** The one option with this text. By its text, because jsdom's names have no spaces around a highlighted match. */
export function getOption(text: RegExp): HTMLElement {
  const [option, ...others] = screen
    .queryAllByRole("option")
    .filter(({ textContent }) => text.test(textContent ?? ""))
  if (option === undefined || others.length > 0)
    throw new Error(`Not one option with ${text} in ${names().join(", ")}`)
  return option
}
export const option = async (text: RegExp) => waitFor(() => getOption(text))
export const field = () => screen.getByRole("combobox")
