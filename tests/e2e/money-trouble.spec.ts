import { expect, type Locator, type Page } from "@playwright/test"
import { signIn, signInAgain, test, watch } from "./app.ts"
import type { MoneyApp } from "./money-app.ts"

const award = { method: "POST", path: "/v1/points/award" } as const

test.describe("failures during awards", () => {
  test("an award with a lost response says what happens next and is confirmed automatically", async ({
    page,
    money,
  }) => {
    const { id, reason } = await openForm(page, money, 10, "Answer lost")
    // Lookups fail until the texts have been checked.
    const blind = await money.service.fault({
      match: { method: "GET", path: `/v1/members/${id}/transactions*` },
      kind: "before-commit-500",
    })
    await money.service.fault({ match: { ...award, times: 1 }, kind: "drop-after" })
    await send(page)
    const drawer = page.getByRole("dialog", { name: "Award points" })
    await expect(drawer.getByText("Outcome not known yet")).toBeVisible()
    await expect(drawer.getByText(/is not sent again before that/)).toBeVisible()
    await expect(drawer.getByText(/Next lookup in \d+ s|Looking it up now…/)).toBeVisible()
    await blind()
    await expect(drawer.getByText(/^300 points awarded to/)).toBeVisible()
    expect(await effects(money, id)).toEqual([`award 300 ${reason}`])
  })

  test("a double click, a reload of the outcome, Back and a copied tab create one award", async ({
    page,
    context,
    money,
  }) => {
    const { id, reason } = await openForm(page, money, 11, "Sent twice")
    const form = page.url()
    const copy = await context.newPage()
    const complaints: string[] = []
    watch(copy, complaints)
    await money.service.fault({ match: { ...award, times: 1 }, kind: "slow", ms: 1500 })
    await sendButton(page).dblclick()
    await expect(page).toHaveURL(/outcome=/)
    const outcome = page.url()
    await expect(page.getByText(/^300 points awarded to/)).toBeVisible()
    await page.goto(outcome)
    await expect(page.getByText(/^300 points awarded to/)).toBeVisible()
    await copy.goto(outcome)
    await expect(copy.getByText(/^300 points awarded to/)).toBeVisible()
    await page.goBack()
    await page.goForward()
    await page.goto(form)
    // A sent form leaves no draft.
    await expect(page.getByLabel("Points", { exact: true })).toHaveValue("")
    await copy.close()
    expect(complaints).toEqual([])
    expect(await effects(money, id)).toEqual([`award 300 ${reason}`])
  })

  test("a tab copied with a filled form creates no second award", async ({ page, context, money }) => {
    const { id, reason } = await openForm(page, money, 14, "Copied tab")
    // Drafts are saved with a delay; a copied tab starts with the saved one.
    await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain(reason)
    const opening = context.waitForEvent("page")
    await page.evaluate(() => void window.open(location.href))
    const copy = await opening
    await expect(copy.getByLabel("Reason", { exact: true })).toHaveValue(reason)
    await send(page)
    await expect(page.getByText(/^300 points awarded to/)).toBeVisible()
    await send(copy)
    await expect(copy.getByText(/^300 points awarded to/)).toBeVisible()
    await copy.close()
    expect(await effects(money, id)).toEqual([`award 300 ${reason}`])
  })

  test("a session that ends during an award is renewed in place, creates one award and shows its balance", async ({
    page,
    money,
  }) => {
    const { id, reason } = await openForm(page, money, 13, "Session ended")
    const balance = await availableOf(page)
    await page.context().clearCookies()
    await send(page)
    await signInAgain(page)
    // The pending request is resent automatically, and the page below the form shows its effect.
    await expect(page.getByText(/^300 points awarded to/)).toBeVisible()
    await expect.poll(() => availableOf(page)).toBe(balance + 300)
    expect(await effects(money, id)).toEqual([`award 300 ${reason}`])
  })
})

/** Opens the award form for one member and fills it in. */
async function openForm(page: Page, money: MoneyApp, nth: number, reason: string) {
  await signIn(page, money.app.url)
  const [id = ""] = (await money.service.memberIds(nth + 1)).slice(nth)
  await page.goto(`${money.app.url}/members/${id}?act=award&for=${id}`)
  await page.getByLabel("Points", { exact: true }).fill("300")
  await page.getByLabel("Reason", { exact: true }).fill(reason)
  return { id, reason }
}

function sendButton(page: Page): Locator {
  return page.getByRole("button", { name: /^Award 300 points to/ })
}

async function send(page: Page): Promise<void> {
  await sendButton(page).click()
}

/** A member's effects in the ledger, as `award 300 reason`. */
async function effects(money: MoneyApp, memberId: string): Promise<readonly string[]> {
  const of = (await money.service.effects("award", "deduct")).filter((each) => each.memberId === memberId)
  return of.map(({ kind, points, reason }) => `${kind} ${points} ${reason}`)
}

/** The member's available points on the page. */
async function availableOf(page: Page): Promise<number> {
  const figure = page
    .locator("div")
    .filter({ has: page.locator("dt", { hasText: /^Available$/ }) })
    .last()
  // Empty until loaded.
  await expect(figure).toHaveText(/\d/)
  return Number((await figure.innerText()).replace(/\D/g, ""))
}
