import { screen, waitFor, within } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, test, vi } from "vitest"
import type { Notice } from "../../contract/notices.ts"
import { jobNeedingDecision, homeServer } from "../../tests/support/home/home-server.ts"
import { renderApp } from "../../tests/support/test-app.tsx"
import { noticesQuery } from "../api/notices.ts"
import { setBrowserNotices } from "../lib/browser-notices.ts"

afterEach(() => vi.unstubAllGlobals())

const job = {
  ...jobNeedingDecision,
  attention: 0,
  counts: { ...jobNeedingDecision.counts, confirmed: 3, conflict: 0 },
}
const finished: Notice = { key: "f", kind: "finished", read: false, at: "2026-11-20T23:15:00Z", job }
const fund: Notice = { key: "fund", kind: "fund", read: false, left_cents: 12_345 }

/** A server that stores read notices. */
function serverWith(...first: readonly Notice[]) {
  let now = first
  return homeServer("manager", {
    "GET /api/notices": () => now,
    "GET /api/notices/unread": () => ({ unread: now.filter(({ read }) => !read).length }),
    "PUT /api/notices/read": ({ body }) => {
      const { keys } = body as { keys: readonly string[] }
      now = now.map((each) => (keys.includes(each.key) ? { ...each, read: true } : each))
      return now
    },
  })
}

async function open(server: ReturnType<typeof homeServer>) {
  const app = renderApp("/", server)
  const bell = await screen.findByRole("button", { name: "Notifications" })
  return { ...app, bell, user: userEvent.setup({ delay: null }) }
}

test("the bell counts what is unread; the panel leads to each next step, and all can be marked as read", async () => {
  const { user, bell, requests } = await open(serverWith(fund, finished))
  await waitFor(() => expect(bell).toHaveAccessibleDescription("2 unread"))
  await user.click(bell)
  const panel = within(await screen.findByRole("dialog", { name: "Notifications" }))
  expect(await panel.findByRole("link", { name: /fund is low: \$123.45 left ?\(unread\)/ })).toHaveAttribute(
    "href",
    "/settings/gift-cards",
  )
  expect(panel.getByRole("link", { name: /Job finished.*Q3 installer bonus: all done/ })).toHaveAttribute(
    "href",
    "/jobs/J-7",
  )
  await user.click(panel.getByRole("button", { name: "Mark all as read" }))
  await waitFor(() => expect(bell).toHaveAccessibleDescription("Nothing unread"))
  expect(panel.getByRole("button", { name: "Mark all as read" })).toBeDisabled()
  expect(requests.filter((line) => line.startsWith("PUT"))).toEqual(["PUT /api/notices/read"])
})

test("unexplained differences in the books lead to those of the month", async () => {
  const books: Notice = { key: "books:1", kind: "books", read: false, count: 2, month: "2026-10" }
  const { user, bell } = await open(serverWith(books))
  await user.click(bell)
  const panel = within(await screen.findByRole("dialog", { name: "Notifications" }))
  expect(await panel.findByRole("link", { name: /2 unexplained differences in the books/ })).toHaveAttribute(
    "href",
    "/books/2026-10?class=unexplained",
  )
})

test("opened, the bell says what the list says; what a notice leads to has the focus when it is loaded", async () => {
  let fresh = false
  const server = {
    ...serverWith(),
    "GET /api/notices": () => (fresh ? [fund, finished] : [fund]),
    "GET /api/notices/unread": () => ({ unread: fresh ? 2 : 1 }),
    "GET /api/jobs/J-7": () => job,
    "GET /api/jobs/J-7/rows": () => ({ data: [], meta: { total: 0, page: 1, per_page: 100 } }),
  }
  const { user, bell, queryClient } = await open(server)
  await waitFor(() => expect(bell).toHaveAccessibleDescription("1 unread"))
  await queryClient.prefetchQuery(noticesQuery)
  fresh = true
  await user.click(bell)
  await waitFor(() => expect(bell).toHaveAccessibleDescription("2 unread"))
  await user.click(await screen.findByRole("link", { name: /Job finished/ }))
  expect(await screen.findByRole("heading", { level: 1, name: "Q3 installer bonus" })).toHaveFocus()
})

test("browser notifications are shown for new notices while the page is hidden and they are allowed, not for existing ones", async () => {
  const shown = vi.fn<(title: string) => void>()
  class FakeNotification extends EventTarget {
    static permission = "granted"
    constructor(title: string) {
      super()
      shown(title)
    }
  }
  vi.stubGlobal("Notification", FakeNotification)
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden")
  await setBrowserNotices(true)
  const { queryClient } = await open(serverWith(fund))
  const list = () => queryClient.getQueryCache().find({ queryKey: noticesQuery.queryKey, exact: true })
  // Observers of the page and of the browser notifications.
  await waitFor(() => expect(list()?.getObserversCount()).toBe(2))
  await waitFor(() => expect(list()?.state.data).toEqual([fund]))
  const refused: Notice = { key: "key", kind: "key", read: false, api: "program" }
  queryClient.setQueryData(noticesQuery.queryKey, [fund, refused])
  await waitFor(() => expect(shown).toHaveBeenCalled())
  expect(shown.mock.calls).toEqual([["The program service refuses the API key"]])
  await setBrowserNotices(false)
})
