import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import type { OwnSession } from "../../../contract/users.ts"
import { openPage } from "../../../tests/support/open-page.tsx"
import { browserName } from "./sessions-page.tsx"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
const session = (id: string, changes: Partial<OwnSession> = {}): OwnSession => ({
  id,
  current: false,
  browser: firefox,
  created_at: "2026-11-20T00:00:00Z",
  last_seen_at: "2026-11-21T00:00:00Z",
  ...changes,
})

test("sessions page lists the user's sessions, and ends one and then all others", async () => {
  const here = session("here", { current: true, browser: null })
  let sessions = [here, session("a"), session("b"), session("c")]
  const { user, writes } = await openPage("/settings/sessions", {
    as: "viewer",
    answers: {
      "GET /api/session/list": () => sessions,
      "DELETE /api/session/list/a": () => (sessions = sessions.filter(({ id }) => id !== "a")),
      "DELETE /api/session/list": () => (sessions = [here]),
    },
  })
  const rows = async (count: number) => {
    const table = await screen.findByRole("table", { name: "Sessions" })
    await expect.poll(() => within(table).getAllByRole("row").length - 1).toBe(count)
    return within(table).getAllByRole("row")
  }
  const [, own, one] = await rows(4)
  expect(own).toHaveTextContent("Unknown browserThis one")
  expect(within(own ?? document.body).queryByRole("button")).not.toBeInTheDocument()
  await user.click(
    within(one ?? document.body).getByRole("button", { name: "End the session in Firefox on Linux" }),
  )
  await rows(3)
  await user.click(screen.getByRole("button", { name: "End all others" }))
  await rows(1)
  expect(writes.map(({ line }) => line)).toEqual(["DELETE /api/session/list/a", "DELETE /api/session/list"])
})

test.each([
  [firefox, "Firefox on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36 Edg/142.0", "Edge on Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15", "Safari on macOS"],
  ["Mozilla/5.0 (Linux; Android 15) Chrome/142.0.0.0 Mobile Safari/537.36", "Chrome on Android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1", "Safari on iOS"],
  ["curl/8.5.0", "Unknown browser"],
])("browser name of %s is %s", (agent, name) => {
  expect(browserName(agent)).toBe(name)
})
