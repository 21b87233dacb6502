import { cleanup, screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { roles } from "../../../contract/roles.ts"
import { openPage, startLaurel } from "../../../tests/support/open-page.tsx"

/** Laurel whose cached responses outlive the test, however slow the machine is. */
const startCached = () =>
  startLaurel({
    sandbox: { members: 400 },
    settings: { cache: { members: 600, rewards: 600, leaderboards: 600, orders: 600 } },
  })

/** A browser with an empty cache. */
async function open(opening: Parameters<typeof openPage>[1]) {
  const { router, queryClient, user } = await openPage("/", opening)
  await screen.findByRole("heading", { level: 1, name: "Today" })
  const settled = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await settled()
  await screen.findByRole("region", { name: "Needs attention" })
  await settled()
  return { router, settled, user }
}

/** Maximum cost of each role's first page of the day: roles that see less request less. */
const most = { admin: 7, manager: 7, viewer: 7, fulfilment: 3 }

test.each(roles)(
  "%s: at most 7 requests to the service cold, and none within the cache time",
  async (role) => {
    const on = await startCached()
    const { requests } = on.sandbox
    const before = requests.count

    await open({ as: role, on })
    expect(requests.count - before).toBe(most[role])
    const cold = requests.count

    cleanup()
    const { router, settled } = await open({ as: role, on })
    expect(requests.count).toBe(cold)
    await router.navigate({ to: "/jobs" })
    await router.navigate({ to: "/" })
    await settled()
    expect(requests.count).toBe(cold)
  },
)

test("pages with the same data share the home page's cache at no cost", async () => {
  const on = await startCached()
  const { router, settled } = await open({ on })
  const { requests } = on.sandbox
  const cold = requests.count
  for (const href of [
    "/members",
    "/members?status=pending",
    "/rewards?view=table&per_page=100&sort=stock",
    "/leaderboards",
  ]) {
    await router.navigate({ href })
    await settled()
    expect(`${href} ${requests.count - cold}`).toBe(`${href} 0`)
  }
})

test("refreshing the home page costs exactly 7 requests", async () => {
  const on = await startCached()
  const { settled, user } = await open({ as: "viewer", on })
  const { requests } = on.sandbox
  const cold = requests.count
  await user.click(screen.getByRole("button", { name: "Refresh" }))
  await waitFor(() => expect(requests.count).toBeGreaterThanOrEqual(cold + 7))
  await settled()
  expect(requests.count - cold).toBe(7)
})
