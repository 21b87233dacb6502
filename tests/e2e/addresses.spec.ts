import { expect } from "@playwright/test"
import { enter, signIn, test } from "./app.ts"
import { anaSilva } from "./members.ts"

test.describe("addresses", () => {
  test("back and forward restore filters, a member and its tabs", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager", "/members?search=silva")
    await page.getByRole("link", { name: "Ana Silva" }).first().click()
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
    await page.getByRole("link", { name: "Details" }).click()
    await expect(page).toHaveURL(/\/details/)

    await page.goBack()
    await expect(page.getByRole("columnheader", { name: "Balance after" })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeVisible()
    await expect(page.getByLabel("Name or e-mail")).toHaveValue("silva")
    await page.goForward()
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
  })

  test("a deep link opens after signing in, including a dialog over its page", async ({ page, builtIn }) => {
    await enter(page, builtIn.url, "manager")
    const member = await anaSilva(page, builtIn.url)
    await page.context().clearCookies()

    await page.goto(`${builtIn.url}/members/${member}/edit?type=redeem`)
    await page.getByRole("button", { name: /Manager/ }).click()
    await expect(page.getByRole("dialog", { name: "Edit Ana Silva" })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/members/${member}/edit\\?type=redeem`))
    await page.getByRole("button", { name: "Close" }).click()
    await expect(page).toHaveURL(new RegExp(`/members/${member}\\?type=redeem`))
  })

  test("invalid parameters fall back to defaults", async ({ page, builtIn }) => {
    const rows = page.getByRole("table").getByRole("row")
    await enter(page, builtIn.url, "manager", "/members?page=banana&per_page=7&status=odd&sort=%00&all=maybe")
    await expect(rows).toHaveCount(26)
    const member = await anaSilva(page, builtIn.url)
    await page.goto(`${builtIn.url}/members/${member}?type=odd&from=2026-99-99&to=yesterday&page=-3`)
    await expect(page.getByRole("columnheader", { name: "Balance after" })).toBeVisible()
    await expect(rows).toHaveCount(26)
    await page.goto(`${builtIn.url}/audit?action=odd&outcome=odd&from=soon&kind=odd&open=nothing`)
    await expect(rows.filter({ hasText: "Signed in" }).first()).toBeVisible()
    await page.goto(`${builtIn.url}/sign-in?redirect=https://elsewhere.example/`)
    await expect(page).toHaveURL(`${builtIn.url}/`)
  })

  test("an id with / ? # % .. never changes the upstream path", async ({ page, staging }) => {
    await signIn(page, staging.app.url)
    const before = (await staging.sandbox.requests()).length
    const ids = ["../points", "a/b", "x?search=ana", "x#y", "100%", "..", "."]
    for (const id of ids) {
      await page.goto(`${staging.app.url}/members/${encodeURIComponent(id)}`)
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    }
    const paths = (await staging.sandbox.requests()).slice(before).map(({ path }) => path)
    const own = ids.map((id) => `/v1/members/${encodeURIComponent(id)}`)
    const isOwn = (path: string) => own.some((one) => path === one || path.startsWith(`${one}/`))
    // Browsers resolve ".." to the parent path, the home page, which makes these requests.
    const isHome = (path: string) => /^\/v1\/(members|orders|rewards|leaderboards(\/.*)?)$/.test(path)
    expect(paths.filter((path) => !isHome(path) && !isOwn(path))).toEqual([])
    expect(paths.some(isOwn)).toBe(true)
  })
})
