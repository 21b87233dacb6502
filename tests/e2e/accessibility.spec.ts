import { expect } from "@playwright/test"
import { enter, test } from "./app.ts"
import { lookAt } from "./look-at.ts"
import { anaSilva } from "./members.ts"
import { pagesOf, panelsOf } from "./places.ts"
import { programPlacesOf } from "./program-places.ts"

/** What is looked at on the tablet and the phone too: the parts that are laid out anew there. */
const responsive = new Set(["members", "member, ledger", "edit member", "status", "audit log", "users"])
const responsiveOfProgram = new Set([
  "home",
  "rewards",
  "leaderboard",
  "orders",
  "order",
  "ship desk",
  "gift cards",
])
const small = [
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
]

test.describe.configure({ mode: "parallel" })

test.describe("no accessibility violation and nothing the content policy refuses", () => {
  test.setTimeout(180_000)

  test("before signing in", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await page.goto(`${builtIn.url}/sign-in`)
    await expect(page.getByRole("button", { name: /Administrator/ })).toBeVisible()
    await findings.look("sign in")
    await page.goto(`${builtIn.url}/set-password#token=unknown`)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await findings.look("set password")
    expect(findings.all()).toEqual([])
  })

  test("every page", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "Administrator", "/members")
    await findings.lookAtAll(builtIn.url, pagesOf(await anaSilva(page)))
    expect(findings.all()).toEqual([])
  })

  test("every page of rewards, orders, gift cards and leaderboards", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "Administrator", "/members")
    await findings.lookAtAll(builtIn.url, await programPlacesOf(page))
    expect(findings.all()).toEqual([])
  })

  test("the rest of a phone's navigation", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await enter(page, builtIn.url, "Administrator")
    await page.getByRole("button", { name: "More" }).click()
    await expect(page.getByRole("menu")).toBeVisible()
    await findings.look("more pages")
    await page.getByRole("menuitem", { name: "Audit log" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible()
    expect(findings.all()).toEqual([])
  })

  test("what opens over a page", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "Administrator", "/members")
    await findings.lookAtAll(builtIn.url, panelsOf(await anaSilva(page)))
    expect(findings.all()).toEqual([])
  })

  test("on a tablet and a phone", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "Administrator", "/members")
    const places = pagesOf(await anaSilva(page)).filter(({ name }) => responsive.has(name))
    for (const size of small) {
      await page.setViewportSize(size)
      await findings.lookAtAll(builtIn.url, places)
    }
    expect(findings.all()).toEqual([])
  })

  test("rewards, orders, gift cards and leaderboards on a tablet and a phone", async ({ page, builtIn }) => {
    const findings = await lookAt(page)
    await enter(page, builtIn.url, "Administrator", "/members")
    const places = (await programPlacesOf(page)).filter(({ name }) => responsiveOfProgram.has(name))
    for (const size of small) {
      await page.setViewportSize(size)
      await findings.lookAtAll(builtIn.url, places)
    }
    expect(findings.all()).toEqual([])
  })
})
