import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { lookAt } from "./look-at.ts"
import { filled, pages, panels, type Place } from "./places.ts"
import { programPages } from "./program-places.ts"

/** What is laid out anew on a tablet and a phone, and so obeys the rules there too. */
const responsive = new Set([
  "members",
  "member, ledger",
  "edit member",
  "status",
  "audit log",
  "users",
  "home",
  "rewards",
  "leaderboard",
  "orders",
  "order",
  "ship desk",
  "gift cards",
])

test.describe.configure({ mode: "parallel" })

test.describe("no accessibility violation, nothing refused by the content policy, nothing sticks out", () => {
  test("before signing in", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await page.goto(`${builtIn.url}/sign-in`)
    await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
    await findings.look("sign in")
    await findings.lookForWhatSticksOut("sign in")
    await page.goto(`${builtIn.url}/set-password#token=unknown`)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await findings.look("set password")
    expect(findings.all()).toEqual([])
  })

  for (const group of groupsOf([...pages, ...programPages])) {
    test(`pages: ${namesOf(group)}`, async ({ page, builtIn, onlooker }) => {
      const findings = await lookAt(page)
      await page.context().addCookies(onlooker.cookies)
      await findings.lookAtEverySize(builtIn.url, filled(group, onlooker.ids), responsive)
      expect(findings.all()).toEqual([])
    })
  }

  for (const group of groupsOf(panels)) {
    test(`over a page: ${namesOf(group)}`, async ({ page, builtIn, onlooker }) => {
      const findings = await lookAt(page)
      await page.context().addCookies(onlooker.cookies)
      await findings.lookAtAll(builtIn.url, filled(group, onlooker.ids))
      expect(findings.all()).toEqual([])
    })
  }

  test("the rest of a phone's navigation", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await enter(page, builtIn.url, "admin", "/")
    await page.getByRole("button", { name: "More" }).click()
    await expect(page.getByRole("menu")).toBeVisible()
    await findings.look("more pages")
    await page.getByRole("menuitem", { name: "Audit log" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible()
    expect(findings.all()).toEqual([])
  })
})

/** Few enough to say which one failed, enough to load the scripts of Laurel once for several. */
function groupsOf(places: readonly Place[]): Place[][] {
  const size = 4
  return Array.from({ length: Math.ceil(places.length / size) }, (_, at) =>
    places.slice(at * size, at * size + size),
  )
}

function namesOf(places: readonly Place[]): string {
  return places.map(({ name }) => name).join("; ")
}
