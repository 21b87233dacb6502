import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { lookAt } from "./look-at.ts"
import { anaSilva } from "./members.ts"
import { pagesOf, panelsOf } from "./places.ts"
import { programPlacesOf } from "./program-places.ts"

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
  test.setTimeout(300_000)

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

  test("every page", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "admin")
    await findings.lookAtEverySize(builtIn.url, pagesOf(await anaSilva(page, builtIn.url)), responsive)
    expect(findings.all()).toEqual([])
  })

  test("every page of rewards, orders, gift cards and leaderboards", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "admin")
    await findings.lookAtEverySize(builtIn.url, await programPlacesOf(page, builtIn.url), responsive)
    expect(findings.all()).toEqual([])
  })

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

  test("what opens over a page", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "admin")
    await findings.lookAtAll(builtIn.url, panelsOf(await anaSilva(page, builtIn.url)))
    expect(findings.all()).toEqual([])
  })
})
