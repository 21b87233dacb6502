import { expect, type Locator, type Page } from "@playwright/test"
import { awardFile } from "./award-file.ts"
import { startAwards } from "./app-jobs.ts"
import { signIn, test } from "./app.ts"
import { anaSilva, readMember } from "./members.ts"

test.describe("points", () => {
  test("an award from the member's page updates balance and ledger", async ({ page, money }) => {
    await signIn(page, money.app.url)
    const ana = await anaSilva(page, money.app.url)
    const before = (await money.service.booked()).length
    await page.goto(`${money.app.url}/members/${ana}`)
    const balance = await availableOf(page)
    await page.getByRole("link", { name: "Award points" }).click()
    await page.getByRole("button", { name: "250", exact: true }).click()
    await page.getByLabel("Reason", { exact: true }).fill("Training: R32 handling")
    await page.keyboard.press("ControlOrMeta+Enter")
    await expect(page.getByText("250 points awarded to Ana Silva")).toBeVisible()
    await expect.poll(() => availableOf(page)).toBe(balance + 250)
    await expect(page.getByRole("table").getByRole("row").nth(1)).toContainText("Training: R32 handling")

    const booked = (await money.service.booked()).slice(before).filter(({ memberId }) => memberId === ana)
    expect(booked.map(({ kind, points, reason }) => ({ kind, points, reason }))).toEqual([
      { kind: "award", points: 250, reason: "Training: R32 handling" },
    ])
  })

  test("pressing the award button repeatedly creates one award", async ({ page, money }) => {
    await signIn(page, money.app.url)
    const ana = await anaSilva(page, money.app.url)
    const before = (await money.service.booked()).length
    await page.goto(`${money.app.url}/members/${ana}`)
    await page.getByRole("link", { name: "Award points" }).click()
    await page.getByLabel("Points", { exact: true }).fill("33")
    await page.getByLabel("Reason", { exact: true }).fill("Pressed twice")
    const button = page.getByRole("button", { name: "Award 33 points to Ana Silva" })
    const presses = await button.evaluate(async (first) => {
      const form = first.closest("form")
      for (let count = 0; ; count += 1) {
        if (form?.isConnected !== true) return count
        form.querySelector<HTMLButtonElement>("button[type=submit]")?.click()
        await new Promise((next) => setTimeout(next))
      }
    })
    expect(presses).toBeGreaterThan(2)
    await expect(page.getByText("33 points awarded to Ana Silva")).toBeVisible()
    // Any duplicate would be booked before this later award.
    await page.getByRole("link", { name: "Award points" }).click()
    await page.getByLabel("Points", { exact: true }).fill("34")
    await page.getByLabel("Reason", { exact: true }).fill("Afterwards")
    await page.keyboard.press("ControlOrMeta+Enter")
    await expect(page.getByText("34 points awarded to Ana Silva")).toBeVisible()
    const booked = (await money.service.booked()).slice(before)
    expect(booked.map(({ points }) => points)).toEqual([33, 34])
  })

  test("a reversal previews the members' text, the affected members and its cost", async ({
    page,
    money,
  }) => {
    await signIn(page, money.app.url)
    const [ana, ids] = [await anaSilva(page, money.app.url), (await money.service.memberIds(662)).slice(650)]
    const deductions = async () => (await money.service.booked()).filter(({ kind }) => kind === "deduct")
    const before = (await deductions()).length
    const visibleReason = page.getByRole("textbox", { name: "Members will see" })

    // Some members have two awards; there are two reasons; one member has spent the points.
    const rows = [...ids, ...ids.slice(0, 3)].map((member_id, at) => ({
      member_id,
      points: 40,
      reason: at < 10 ? "Wrong list" : "Other list",
    }))
    const job = await startAwards(page, money.app.url, rows)
    await page.goto(`${money.app.url}/jobs/${job}`)
    await expect(stateOf(page).getByText("Done", { exact: true })).toBeVisible()
    const poor = ids[7] ?? ""
    const { name, balance } = await readMember(page, poor)
    await money.service.post("/v1/points/deduct", {
      member_id: poor,
      points: balance,
      reason: "Spent elsewhere",
    })

    await page.getByRole("button", { name: "Reverse" }).click()
    const dialog = page.getByRole("dialog")
    await expect(dialog.getByText(/15 awards to 12 members/)).toBeVisible()
    await expect(dialog.getByText(/^Checking takes/)).toBeVisible()
    await expect(visibleReason).toHaveValue("Correction: Wrong list")
    await dialog.getByRole("button", { name: "Check balances" }).click()
    await expect(dialog.getByText("1 member no longer has the points")).toBeVisible()
    const short = dialog.getByRole("rowheader")
    await expect(short).toHaveText(name)
    await dialog.getByRole("switch", { name: /^Leave out the 1 member/ }).click()
    await dialog.getByLabel("Reason").fill("The list was last month's")
    await dialog.getByRole("button", { name: "Reverse 560 points from 11 members" }).click()
    await expect(page.getByRole("heading", { level: 1, name: /^Reversal of/ })).toBeVisible()
    await expect(stateOf(page).getByText("Done", { exact: true })).toBeVisible()
    const taken = (await deductions()).slice(before + 1)
    expect(taken).toHaveLength(14)
    expect(taken.filter(({ reason }) => reason.startsWith("Correction: Wrong list · batch "))).toHaveLength(9)
    expect(taken.every(({ reason }) => /^Correction: .+ · batch [2-9A-Z]{5}(-2)?$/.test(reason))).toBe(true)

    await page.goto(`${money.app.url}/members/${ana}`)
    await page.getByRole("link", { name: "Award points" }).click()
    await page.getByLabel("Points", { exact: true }).fill("30")
    await page.getByLabel("Reason", { exact: true }).fill("Wrong person")
    await page.keyboard.press("ControlOrMeta+Enter")
    await expect(page.getByText("30 points awarded to Ana Silva")).toBeVisible()
    await expect(page.getByRole("dialog")).toBeHidden()
    await page.keyboard.press("n")
    await expect(page.getByRole("button", { name: "Undo" })).toBeFocused()
    await page.keyboard.press("Enter")
    await expect(page.getByText("30 points reversed from Ana Silva")).toBeVisible()
    const last = (await deductions()).at(-1)
    expect(last).toMatchObject({ memberId: ana, points: -30 })
    expect(last?.reason).toMatch(/^Correction: Wrong person · batch [2-9A-Z]{5}$/)
  })

  test("a corrected file awards only the missing rows and lists the excluded ones", async ({
    page,
    money,
  }) => {
    const ids = (await money.service.memberIds(640)).slice(630, 636)
    const before = (await money.service.booked()).length
    const since = async () => effectsOf((await money.service.booked()).slice(before))
    const reason = "Corrected file bonus"
    const rows = ids.map((id, at) => [id, at === 2 ? "1000.5" : at === 4 ? "many" : "750", reason] as const)
    const mended = ids.map((id) => [id, "750", reason] as const)
    const panel = page.getByRole("complementary", { name: "What will happen" })
    const upload = async (file: ReturnType<typeof awardFile>) => {
      await page.goto(`${money.app.url}/members/points-file?kind=award`)
      const choosing = page.waitForEvent("filechooser")
      await page.getByRole("button", { name: "Choose a file" }).click()
      await (await choosing).setFiles(file)
    }

    await signIn(page, money.app.url)
    await upload(awardFile("bonus.csv", rows))
    await panel.getByRole("button", { name: "Award 3,000 points to 4 members" }).click()
    await expect(page).toHaveURL(/\/jobs\//)
    await expect(stateOf(page).getByText("Done", { exact: true })).toBeVisible()
    const paid = mended.filter((_, at) => at !== 2 && at !== 4)
    expect(await since()).toEqual(once(paid))
    await page.getByRole("radiogroup", { name: "State of the rows" }).getByText("Left out").click()
    const excluded = page.getByRole("table", { name: "Rows of the job" })
    await expect(excluded.getByRole("row")).toHaveCount(3)
    await expect(excluded.getByRole("row").nth(1)).toContainText(/^4/)

    await upload(awardFile("bonus-corrected.csv", mended))
    await expect(panel.getByText("4 rows were sent before")).toBeVisible()
    await panel.getByRole("button", { name: "Award 1,500 points to 2 members" }).click()
    await expect(page).toHaveURL(/\/jobs\//)
    await expect(stateOf(page).getByText("Done", { exact: true })).toBeVisible()
    expect(await since()).toEqual(once(mended))
    await page.getByRole("radiogroup", { name: "State of the rows" }).getByText("Left out").click()
    await expect(excluded.getByRole("row")).toHaveCount(5)
    await expect(excluded.getByText(/^Already awarded today \(J-\d+\)/)).toHaveCount(4)

    // All rows again on purpose: the button states how many.
    await upload(awardFile("bonus-again.csv", mended))
    await panel.getByRole("button", { name: "Include 6 repeated rows" }).click()
    await panel.getByRole("button", { name: "Award 4,500 points to 6 members" }).click()
    await expect(page).toHaveURL(/\/jobs\//)
    await expect(stateOf(page).getByText("Done", { exact: true })).toBeVisible()
    expect(await since()).toEqual([...once(mended), ...once(mended)].toSorted())
  })
})

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

/** Header of a job's page with its state. */
function stateOf(page: Page): Locator {
  return page.getByRole("main").locator("header")
}

/** Effects as `member points`, sorted. */
function effectsOf(effects: readonly { memberId: string; points: number }[]): readonly string[] {
  return effects.map(({ memberId, points }) => `${memberId} ${points}`).toSorted()
}

/** A file's rows as `member points`, sorted. */
function once(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  return rows.map(([memberId, points]) => `${memberId} ${Number(points)}`).toSorted()
}
