import { expect, type Locator, type Page } from "@playwright/test"
import { rowsIn, startAwards } from "./app-jobs.ts"
import { signIn, signInAgain, test, watch } from "./app.ts"
import type { Booked, MoneyApp } from "./money-app.ts"

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

  test("a form resent after a lost response of Laurel creates one award", async ({ page, money }) => {
    const { id, reason } = await openForm(page, money, 12, "Not heard")
    let lost = 0
    await page.route("**/api/jobs", async (route) => {
      if (route.request().method() !== "POST" || lost > 0) return route.continue()
      lost += 1
      await route.fetch()
      return route.abort("connectionreset")
    })
    await send(page)
    await expect(
      page
        .getByRole("dialog")
        .getByText(/not (known|heard)|no answer/i)
        .first(),
    ).toBeVisible()
    await send(page)
    await expect(page.getByText(/^300 points awarded to/)).toBeVisible()
    expect(lost).toBe(1)
    expect(await effects(money, id)).toEqual([`award 300 ${reason}`])
  })

  test("a refused key pauses the job with the reason, and resuming sends each row once", async ({
    page,
    money,
  }) => {
    await signIn(page, money.app.url)
    const ids = await money.service.memberIds(60)
    const mend = await money.service.fault({ match: award, kind: "before-commit-500", status: 401 })
    const rows = ids.slice(20, 40).map((id) => ({ member_id: id, points: 120, reason: "Key refused" }))
    const spent = (await money.service.requests()).length
    const job = await startAwards(page, money.app.url, rows, { mode: "single" })
    await page.goto(`${money.app.url}/jobs/${job}`)
    await expect(stateOf(page).getByText(/^Paused/)).toBeVisible()
    await expect(page.getByRole("main").getByText(/key/i).first()).toBeVisible()
    await expect(page.getByRole("main").getByText("unauthorized")).toBeVisible()
    const tried = (await money.service.requests()).slice(spent).filter(({ method }) => method === "POST")
    expect(tried.map(({ status }) => status)).toEqual([401])

    await mend()
    await page.getByRole("button", { name: "Resume" }).click()
    await expect(stateOf(page).getByText("Done", { exact: true })).toBeVisible()
    for (const { member_id: id } of rows) expect(await effects(money, id)).toEqual(["award 120 Key refused"])
  })

  test("a conflict row is decided by keyboard", async ({ page, money }) => {
    await signIn(page, money.app.url)
    const [member = ""] = (await money.service.memberIds(51)).slice(50)
    const blind = await money.service.fault({
      match: { method: "GET", path: `/v1/members/${member}/transactions*` },
      kind: "before-commit-500",
    })
    await money.service.fault({ match: { ...award, times: 1 }, kind: "drop-after" })
    const job = await startAwards(page, money.app.url, [
      { member_id: member, points: 210, reason: "Two alike" },
    ])
    await expect.poll(async () => (await rowsIn(page, money.app.url, job, "unknown")).size).toBe(1)
    // An identical foreign award: the two cannot be told apart.
    const sent = (await money.service.requests()).findLast(({ path }) => path === award.path)
    await money.service.post(award.path, JSON.parse(sent?.body ?? ""))
    await blind()

    await page.goto(`${money.app.url}/jobs/${job}`)
    const decide = page.getByRole("button", { name: "Decide", exact: true })
    await expect(decide).toBeVisible()
    await decide.focus()
    await page.keyboard.press("Enter")
    const choices = page.getByRole("group", { name: /What happened/ })
    await expect(choices).toContainText("2 ledger entries could be it")
    await expect(choices.getByRole("radio", { checked: true })).toHaveCount(0)
    while (
      !(await choices
        .getByRole("radio")
        .first()
        .evaluate((radio) => radio === document.activeElement))
    ) {
      await page.keyboard.press("Tab")
    }
    await page.keyboard.press("Space")
    await page.keyboard.press("Enter")
    await expect(stateOf(page).getByText("Done", { exact: true })).toBeVisible()
    expect(await effects(money, member)).toHaveLength(2)
    await page.goto(`${money.app.url}/audit`)
    await expect(
      page
        .getByRole("row")
        .filter({ hasText: /Resolved a row/ })
        .first(),
    ).toContainText("Administrator")
  })

  test("a job is paused, resumed and cancelled: sent rows finish, the rest is not sent", async ({
    page,
    money,
  }) => {
    await signIn(page, money.app.url)
    const ids = (await money.service.memberIds(130)).slice(60, 130)
    await money.service.fault({ match: award, kind: "slow", ms: 2000 })
    const job = await startAwards(
      page,
      money.app.url,
      ids.map((id) => ({ member_id: id, points: 55, reason: "Stopped" })),
      { mode: "single", title: "Stopped on the way" },
    )
    await page.goto(`${money.app.url}/jobs/${job}`)
    await page.getByRole("button", { name: "Pause" }).click()
    await expect(stateOf(page).getByText(/^Paused/)).toBeVisible()
    await page.getByRole("button", { name: "Resume" }).click()
    await expect(stateOf(page).getByText("Running")).toBeVisible()

    await page.getByRole("button", { name: "Cancel remaining" }).click()
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Cancel \d+ rows$/ })
      .click()
    await expect(stateOf(page).getByText("Cancelled")).toBeVisible()
    const confirmed = await rowsIn(page, money.app.url, job, "confirmed")
    const planned = await rowsIn(page, money.app.url, job, "planned")
    expect(confirmed.size + planned.size).toBe(ids.length)
    expect(planned.size).toBeGreaterThan(0)
    const booked = (await money.service.booked()).filter(({ reason }) => reason === "Stopped")
    expect(booked.map(({ memberId }) => memberId).toSorted()).toEqual(
      [...confirmed.values()].map(({ member_id: id }) => id).toSorted(),
    )
  })

  test("a browser closed during a job shows its result when reopened", async ({ page, browser, money }) => {
    await signIn(page, money.app.url)
    const ids = (await money.service.memberIds(160)).slice(130, 160)
    await money.service.fault({ match: award, kind: "slow", ms: 1000 })
    const job = await startAwards(
      page,
      money.app.url,
      ids.map((id) => ({ member_id: id, points: 65, reason: "Walked away" })),
      { mode: "single" },
    )
    await page.goto(`${money.app.url}/jobs/${job}`)
    await expect(stateOf(page).getByText("Running")).toBeVisible()
    await page.close()
    await expect
      .poll(
        async () => (await money.service.booked()).filter(({ reason }) => reason === "Walked away").length,
      )
      .toBe(ids.length)
    const later = await browser.newContext()
    const again = await later.newPage()
    await signIn(again, money.app.url, `/jobs/${job}`)
    await expect(stateOf(again).getByText("Done", { exact: true })).toBeVisible()
    await expect(again.getByRole("main").getByText("1,950").first()).toBeVisible()
    await later.close()
  })

  test("a session that ends during an award is renewed in place and creates one award", async ({
    page,
    money,
  }) => {
    const { id, reason } = await openForm(page, money, 13, "Session ended")
    await page.context().clearCookies()
    await send(page)
    await signInAgain(page)
    // The pending request is resent automatically.
    await expect(page.getByText(/^300 points awarded to/)).toBeVisible()
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

/** Header of a job's page with its state. */
function stateOf(page: Page): Locator {
  return page.getByRole("main").locator("header")
}

/** A member's effects in the ledger, as `award 300 reason`. */
async function effects(money: MoneyApp, memberId: string): Promise<readonly string[]> {
  const of = (await money.service.booked()).filter((each: Booked) => each.memberId === memberId)
  return of.map(({ kind, points, reason }) => `${kind} ${points} ${reason}`)
}
