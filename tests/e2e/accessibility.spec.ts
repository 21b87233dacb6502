import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { inspectPages } from "./inspect-pages.ts"
import { filled, pages, panels, type Place } from "./places.ts"
import { programPages } from "./program-places.ts"

/** Places with a separate layout on tablets and phones, checked by all rules there too. */
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

test.describe("pages have no accessibility violation, no CSP violation and no overflow", () => {
  test("sign-in and set-password pages", async ({ page, builtIn }) => {
    const findings = await inspectPages(page)
    await page.goto(`${builtIn.url}/sign-in`)
    await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
    await findings.check("sign in")
    await findings.checkOverflow("sign in")
    await page.goto(`${builtIn.url}/set-password#token=unknown`)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await findings.check("set password")
    expect(findings.all()).toEqual([])
  })

  for (const [of, places] of [
    ["pages", [...pages, ...programPages]],
    ["panels", panels],
  ] as const) {
    for (const group of groupsOf(places)) {
      test(`${of}: ${namesOf(group)}`, async ({ page, builtIn, readOnly }) => {
        const findings = await inspectPages(page)
        await page.context().addCookies(readOnly.cookies)
        await findings.checkPlaces(builtIn.url, filled(group, readOnly.ids), { responsive })
        expect(findings.all()).toEqual([])
      })
    }
  }

  test("menu of further pages on a phone", async ({ page, builtIn }) => {
    const findings = await inspectPages(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await enter(page, builtIn.url, "admin", "/")
    await page.getByRole("button", { name: "More" }).click()
    await expect(page.getByRole("menu")).toBeVisible()
    await findings.check("more pages")
    await page.getByRole("menuitem", { name: "Audit log" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible()
    expect(findings.all()).toEqual([])
  })
})

/** Large groups load the app's scripts once for many places; there are more groups than workers. */
function groupsOf(places: readonly Place[]): Place[][] {
  const size = 9
  return Array.from({ length: Math.ceil(places.length / size) }, (_, at) =>
    places.slice(at * size, at * size + size),
  )
}

function namesOf(places: readonly Place[]): string {
  return places.map(({ name }) => name).join("; ")
}
