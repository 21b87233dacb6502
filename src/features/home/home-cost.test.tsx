import { cleanup, screen, waitFor } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { afterEach, expect, test, vi } from "vitest"
import { roles } from "../../../contract/roles.ts"
import { startApp, type TestApp } from "../../../tests/support/server.ts"
import { renderAt } from "../../../tests/support/test-app.tsx"

const { fetch } = globalThis
let app: TestApp | undefined

afterEach(async () => {
  cleanup()
  vi.unstubAllGlobals()
  await app?.close()
  app = undefined
})

/** An app whose cached responses outlive the test, however slow the machine is. */
async function startedApp(): Promise<TestApp> {
  const started = await startApp({ sandbox: { members: 400 } })
  const admin = await started.signIn("admin")
  const body = { members: 600, rewards: 600, leaderboards: 600, orders: 600 }
  expect((await admin.ask("/settings/cache", { method: "PUT", body })).status).toBe(200)
  return started
}

/** A browser with an empty cache, at a real app over HTTP. */
async function open(at: TestApp, cookie: string, address: string) {
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    headers.set("Cookie", cookie)
    return fetch(at.url + path, { method: init.method ?? "GET", headers, body: init.body ?? null })
  })
  const { router, queryClient: client } = renderAt(address)
  await screen.findByRole("heading", { level: 1, name: "Today" })
  const settled = () => waitFor(() => expect(client.isFetching()).toBe(0))
  await settled()
  await screen.findByRole("region", { name: "Needs attention" })
  await settled()
  return { router, settled }
}

/** Maximum cost of each role's first page of the day: roles that see less request less. */
const most = { admin: 8, manager: 8, viewer: 8, fulfilment: 3 }

test.each(roles)(
  "%s: at most 8 requests to the service cold, and none within the cache time",
  async (role) => {
    app = await startedApp()
    const { cookie } = await app.signIn(role)
    const { requests } = app.sandbox
    const before = requests.count

    await open(app, cookie, "/")
    expect(requests.count - before).toBe(most[role])
    const cold = requests.count

    cleanup()
    const { router, settled } = await open(app, cookie, "/")
    expect(requests.count).toBe(cold)
    await router.navigate({ to: "/jobs" })
    await router.navigate({ to: "/" })
    await settled()
    expect(requests.count).toBe(cold)
  },
)

test("pages with the same data share the home page's cache at no cost", async () => {
  app = await startedApp()
  const { cookie } = await app.signIn("manager")
  const { router, settled } = await open(app, cookie, "/")
  const { requests } = app.sandbox
  const cold = requests.count
  for (const href of [
    "/members",
    "/members?status=pending",
    "/members?status=inactive",
    "/rewards?view=table&per_page=100&sort=stock",
    "/leaderboards",
  ]) {
    await router.navigate({ href })
    await settled()
    expect(`${href} ${requests.count - cold}`).toBe(`${href} 0`)
  }
})

test("refreshing the home page costs exactly 8 requests", async () => {
  app = await startedApp()
  const { cookie } = await app.signIn("viewer")
  const { settled } = await open(app, cookie, "/")
  const { requests } = app.sandbox
  const cold = requests.count
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }))
  await waitFor(() => expect(requests.count).toBeGreaterThanOrEqual(cold + 8))
  await settled()
  expect(requests.count - cold).toBe(8)
})
