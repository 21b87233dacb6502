import { expect, type Page } from "@playwright/test"
import { cardSettings } from "../../sandbox/seed/cards.ts"
import { admin } from "../support/app-process.ts"
import { signIn, test, watch } from "./app.ts"
import { awardFile, plainRows, sumOf, type FileRow } from "./award-file.ts"
import { countEffort, type Effort, type EffortCounter, readmeRows, typeInNextButOne } from "./effort.ts"
import { anaSilva } from "./members.ts"
import { startMoneyApp, type MoneyApp } from "./money-app.ts"
import { onHomeWithBooks } from "./month-end.ts"
import { redeemParcels } from "./orders-to-ship.ts"
import { reportMeasurement } from "./report-measurement.ts"
import { plugScanner, postNumber } from "./scanner.ts"

/** The everyday tasks, the best other product's effort (c clicks, k keys), and Laurel's target. */
const jobs = {
  "1": ["morning check", "2 c, 6 s", "0 c"],
  "2": ["find a member", "⌘K, 9 k, 5 s", "⌘K, ≤ 8 k"],
  "3": ["award one", "6 c + 30 k, 22 s", "≤ 3 c + text, no page change"],
  "4": ["award 500 from a file", "9 c + 30 k, 35 s + run", "≤ 5 c"],
  "5": ["fix the failures", "8 c + spreadsheet, 150 s", "edit in place, ≤ 3 c"],
  "6": ["reverse a bad batch", "one by one", "≤ 3 c"],
  "7": ["redeem for a member", "not possible", "≤ 5 c"],
  "7 undo": ["undo a redemption", "5 c + spreadsheet", "≤ 3 c"],
  "8": ["issue one card", "7 c + 15 k", "≤ 4 c + text"],
  "9": ["issue 200 cards", "8 c + spreadsheet template, 180 s", "paste, ≤ 4 c"],
  "10": ["“it never arrived”", "7 c + 10 k", "find by e-mail, ≤ 4 c"],
  "11": ["ship by scanner", "4 scans, 7 s", "2 scans, 0 c"],
  "12": ["ship by hand", "4 c + 18 k, 14 s", "≤ 2 c + number"],
  "12 tablet": ["ship by touch", "–", "≤ 2 c + number"],
  "12 phone": ["ship by touch", "–", "≤ 2 c + number"],
  "13": ["import 300 tracking numbers", "4 c", "≤ 4 c, walk away at once"],
  "14": ["“where is my order?”", "3 c + 8 k", "⌘K + number, link to the carrier"],
  "14 parcel": ["by its tracking number", "–", "⌘K + number, link to the carrier"],
  "15": ["deactivate 200 leavers", "–", "≤ 4 c"],
  "16": ["close the month", "spreadsheets", "≤ 3 c"],
} as const

/** Maximum effort of a task; keys only where the target names keys, a text or a number. */
interface Target {
  readonly clicks: number
  /** Characters of the typed text. */
  readonly text?: number
  /** Keys besides the text: to open, move and send. */
  readonly keys?: number
}

interface Figure extends Effort {
  readonly number: keyof typeof jobs
  readonly target: Target
  readonly seconds: number
}

interface Day {
  readonly page: Page
  readonly effort: EffortCounter
  readonly money: MoneyApp
  readonly figures: Figure[]
}

interface Parcel {
  readonly id: string
  readonly number: string
}

/** Measures one task. `act` must click, tap and press keys: `fill` and `focus` are not counted. */
async function count(
  { effort, figures }: Day,
  number: keyof typeof jobs,
  target: Target,
  act: () => Promise<void>,
): Promise<void> {
  await test.step(`${number}: ${jobs[number][0]}`, async () => {
    await effort.take()
    const began = performance.now()
    await act()
    const seconds = (performance.now() - began) / 1000
    figures.push({ number, target, seconds, ...(await effort.take()) })
  })
}

test("each of the everyday tasks stays within its target and matches the README", async ({
  page,
  browser,
  complaints,
}, info) => {
  test.setTimeout(600_000)
  // Its own app, so that every run has the same records.
  const money = await startMoneyApp()
  const { app, service } = money
  try {
    const day: Day = { page, effort: await countEffort(page), money, figures: [] }
    try {
      await morningCheck(day)
      await findMember(day)
      const ana = await anaSilva(page, app.url)
      await awardOne(day, ana)
      const awards = await awardFromFile(day, ana)
      await redeem(day, ana)
      await undoRedemption(day, ana)
      await issueCards(day)
      await cardNeverArrived(day)
      const [first = "", ...parcels] = await redeemParcels(money, 304)
      const shipped = [await shipByScanner(day, first), await shipByHand(day, "12", 1)]
      for (const [number, width, height] of [
        ["12 tablet", 820, 1180],
        ["12 phone", 390, 844],
      ] as const) {
        const touch = await browser.newPage({ viewport: { width, height }, hasTouch: true, isMobile: true })
        watch(touch, complaints)
        const there = { ...day, page: touch, effort: await countEffort(touch) }
        await signIn(touch, app.url)
        shipped.push(await shipByHand(there, number, width))
        await touch.close()
      }
      const byHand = new Set(shipped.map(({ id }) => id))
      const imported = await importTracking(day, parcels.filter((id) => !byHand.has(id)).slice(0, 300))
      await whereIsMyOrder(day, shipped.at(-1) ?? { id: "", number: "" })
      await deactivateLeavers(day)
      await onHomeWithBooks(browser, (effort, close) => count({ ...day, effort }, "16", { clicks: 3 }, close))
      await expectEverythingOnce(day, awards, [...shipped, ...imported])
    } finally {
      reportMeasurement(info, tableOf(day.figures))
    }
    for (const { number, target, clicks, keys } of day.figures) {
      const job = `${number}, ${jobs[number][0]}: ${clicks.join("; ")} | ${keys.join(" ")}`
      expect.soft(clicks.length, job).toBeLessThanOrEqual(target.clicks)
      if (target.keys === undefined) continue
      expect.soft(keys.length, job).toBeLessThanOrEqual((target.text ?? 0) + target.keys)
    }
    expect(readmeRows()).toEqual(day.figures.map(cellsOf))
  } finally {
    await page.close()
    await app.stop()
    await service.stop()
  }
})

async function morningCheck(day: Day): Promise<void> {
  const { page, money } = day
  await page.goto(money.app.url)
  await page.getByLabel("E-mail").fill(admin.email)
  await page.getByLabel("Password", { exact: true }).fill(admin.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL((at) => at.pathname === "/")
  await count(day, "1", { clicks: 0, keys: 0 }, async () => {
    const todo = page.getByRole("region", { name: "Needs attention" })
    await expect(todo.getByRole("link", { name: /orders? to ship.*Oldest/ })).toBeVisible()
    await expect(todo.getByRole("link", { name: /rewards? low on stock/ })).toBeVisible()
    await expect(todo.getByRole("link", { name: /members? (is|are) pending/ })).toBeVisible()
  })
}

async function findMember(day: Day): Promise<void> {
  const { page } = day
  await count(day, "2", { clicks: 0, keys: 8 }, async () => {
    // Typed without waiting: no key may be lost, and Enter opens the match.
    await page.keyboard.press("ControlOrMeta+k")
    await page.keyboard.type("ana si")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1, name: "Ana Silva" })).toBeVisible()
  })
}

/** Starts and ends in the member list. */
async function awardOne(day: Day, ana: string): Promise<void> {
  const { page, money } = day
  const [search, points, reason] = ["ana si", "500", "Trade night, Maroochydore"]
  const before = (await money.service.effects("award", "deduct")).length
  await page.goto(`${money.app.url}/members`)
  await expect(rowsOf(page).nth(9)).toBeVisible()
  const text = search.length + points.length + reason.length
  await count(day, "3", { clicks: 3, text, keys: 2 }, async () => {
    await page.keyboard.press("/")
    await page.keyboard.type(search)
    const row = rowsOf(page).filter({ hasText: "Ana Silva" })
    const award = row.getByRole("link", { name: "Award points to Ana Silva" })
    await expect(rowsOf(page)).toHaveCount(2)
    await row.hover()
    await award.click()
    await expect(page.getByLabel("Points", { exact: true })).toBeFocused()
    expect(new URL(page.url()).pathname).toBe("/members")
    await page.keyboard.type(points)
    await page.keyboard.press("Tab")
    await page.keyboard.type(reason)
    await page.getByRole("button", { name: "Award 500 points to Ana Silva" }).click()
    await expect(page.getByText("500 points awarded to Ana Silva")).toBeVisible()
    await expect(page.getByRole("dialog")).toBeHidden()
    await expect(award).toBeFocused()
    await expect(page).toHaveURL(/\/members\?search=ana(%20|\+)si$/)
  })
  expect((await money.service.effects("award", "deduct")).slice(before)).toMatchObject([
    { kind: "award", memberId: ana, points: 500, reason },
  ])
}

/**
 * A file with errors, two of which only the service detects: they are corrected in place, then the job is reversed.
 * @returns the resulting awards as `member points`
 */
async function awardFromFile(day: Day, ana: string): Promise<readonly string[]> {
  const { page, money } = day
  const ids = (await money.service.memberIds(503)).filter((id) => id !== ana)
  const [late = "", later = "", another = "", ...others] = ids
  const reason = "Q3 installer bonus"
  const good = plainRows(others.slice(0, 498), reason)
  const unknown = ["mem_0O1lI0xx", "mem_0O1lI0yy"].map((id): FileRow => [id, "800", reason])
  const slips: readonly FileRow[] = [
    [another, "1000.5", reason],
    [another, "900", ""],
    ["", "750", reason],
    [another, "many", reason],
  ]
  const rows = [...good.slice(0, 2), ...unknown, ...slips, ...good.slice(2), ...good.slice(0, 3)]
  const total = (sumOf(good) + 1600).toLocaleString("en-AU")
  await page.goto(`${money.app.url}/members`)
  await expect(rowsOf(page).nth(1)).toBeVisible()
  await count(day, "4", { clicks: 5 }, async () => {
    await page.getByRole("button", { name: /^Import/ }).click()
    await page.getByRole("link", { name: "Award points", exact: true }).click()
    await chooseFile(page, awardFile("q3-installer-bonus.csv", rows))
    await page.getByRole("button", { name: `Award ${total} points to 500 members` }).click()
    await expect(page).toHaveURL(/\/jobs\//)
  })
  const state = page.getByRole("main").locator("header")
  await expect(page.getByText("Done, 2 not done")).toBeVisible({ timeout: 90_000 })
  await count(day, "5", { clicks: 3 }, async () => {
    await page.getByRole("button", { name: "Fix 2 failed rows" }).click()
    // The first column is the error, the second the member.
    await expect(page.getByRole("grid", { name: "Failed rows" }).locator("[data-cell='0:1']")).toBeFocused()
    await page.keyboard.type(late)
    await page.keyboard.press("Enter")
    await page.keyboard.type(later)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Send 2 rows again" }).click()
    await expect(state.getByText("Done", { exact: true })).toBeVisible()
  })
  await count(day, "6", { clicks: 3 }, async () => {
    await page.getByRole("button", { name: "Reverse" }).click()
    await expect(page.getByRole("dialog").getByLabel("Reason")).toBeFocused()
    await page.keyboard.type("Wrong list")
    await page.getByRole("button", { name: `Reverse ${total} points from 500 members` }).click()
    await expect(page.getByRole("heading", { level: 1, name: /^Reversal of/ })).toBeVisible()
  })
  return [...good, [late, "800"], [later, "800"]].map(([id, points]) => `${id} ${points}`).toSorted()
}

/** Starts on the member's page. */
async function redeem(day: Day, ana: string): Promise<void> {
  const { page, money } = day
  await page.goto(`${money.app.url}/members/${ana}`)
  await expect(rowsOf(page).nth(1)).toBeVisible()
  await count(day, "7", { clicks: 5 }, async () => {
    await page.getByRole("link", { name: "Redeem" }).click()
    await expect(page.getByRole("combobox", { name: "Reward" })).toBeFocused()
    await page.keyboard.type("vacuum")
    await expect(page.getByRole("option", { name: /Vacuum flask/ })).toBeVisible()
    await page.keyboard.press("Enter")
    await page.getByLabel("Address", { exact: true }).click()
    await page.keyboard.type("4 Aerodrome Road")
    await typeInNextButOne(page, "City", "Maroochydore")
    await typeInNextButOne(page, "Postcode", "4558")
    await page.getByRole("button", { name: /^Redeem 1 × Vacuum flask, 1.2 L for Ana Silva/ }).click()
    await expect(page.getByText("1 × Vacuum flask, 1.2 L redeemed for Ana Silva")).toBeVisible()
  })
  await page.getByRole("link", { name: /^ord_/ }).click()
  await expect(page.getByRole("heading", { level: 1, name: /^ord_/ })).toBeVisible()
  await expect(page.getByText("4 Aerodrome Road", { exact: true })).toBeVisible()
}

/** Starts on the order's page. The service returns no points. */
async function undoRedemption(day: Day, ana: string): Promise<void> {
  const { page, money } = day
  const id = (await page.getByRole("heading", { level: 1 }).textContent()) ?? ""
  await count(day, "7 undo", { clicks: 3, keys: 0 }, async () => {
    await page.getByRole("button", { name: "Cancel and return points…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel and return points" }).click()
    await page.getByRole("button", { name: /^Return [\d,]+ points$/ }).click({ timeout: 120_000 })
    await expect(page.getByText(/^[\d,]+ points returned$/)).toBeVisible({ timeout: 30_000 })
  })
  const redeemed = (await money.service.effects("redeem")).find((effect) => effect.id === id)
  const returned = (await money.service.effects("award")).filter(({ reason }) => reason.includes(id))
  expect(returned).toMatchObject([{ memberId: ana, points: Math.abs(redeemed?.points ?? 0) }])
}

/** Issues one card to a member, and 200 from a pasted range with template names. */
async function issueCards(day: Day): Promise<void> {
  const { page, money } = day
  const { url } = money.app
  const entered = await page.request.put(`${url}/api/settings/cardTemplates`, {
    headers: { "X-Laurel": "1" },
    data: cardSettings.cardTemplates,
  })
  expect(entered.status()).toBe(200)
  await money.service.request("PUT", "/__sandbox/fund", { cents: 2_000_000 })
  await page.goto(`${url}/cards`)
  await count(day, "8", { clicks: 4, text: "ana sil".length, keys: 0 }, async () => {
    await page.getByRole("link", { name: "Issue card" }).click()
    const dialog = page.getByRole("dialog", { name: "Issue a gift card" })
    await expect(dialog.getByLabel("Recipient’s e-mail")).toBeFocused()
    await page.keyboard.type("ana sil")
    await dialog.getByRole("option", { name: /Ana Silva/ }).click()
    await expect(dialog.getByText("Ana Silva has this e-mail and gets the card")).toBeVisible()
    await dialog.getByRole("button", { name: "$50", exact: true }).click()
    await dialog.getByRole("button", { name: "Issue a $50.00 card to Ana Silva" }).click()
    await expect(dialog.getByText("A $50.00 card for Ana Silva")).toBeVisible()
  })

  const names = ["Trade Visa", "Bunnings"]
  const lines = Array.from(
    { length: 200 },
    (_, at) => `winner.${at}@site.test\tWinner\tNo ${at}\t50\t${names[at % 2]}`,
  )
  await page.goto(`${url}/cards`)
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await page.evaluate(
    (range) => navigator.clipboard.writeText(range),
    ["email\tfirst name\tlast name\tamount\ttemplate", ...lines].join("\n"),
  )
  await count(day, "9", { clicks: 4 }, async () => {
    await page.getByRole("link", { name: "Issue from a file" }).click()
    await expect(page.getByRole("button", { name: "Choose a file" })).toBeVisible()
    await page.keyboard.press("ControlOrMeta+v")
    await page.getByRole("button", { name: "Issue 200 cards, $10,000.00" }).click()
    await expect(page).toHaveURL(/\/jobs\//)
  })
}

/** Starts in the member list; finds the card issued before. */
async function cardNeverArrived(day: Day): Promise<void> {
  const { page, money } = day
  await page.goto(`${money.app.url}/members`)
  await expect(rowsOf(page).nth(1)).toBeVisible()
  await count(day, "10", { clicks: 4 }, async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Gift cards" }).first().click()
    await page.getByPlaceholder("Recipient, id or reference").click()
    await page.keyboard.type("ana.silva@")
    await expect(page.getByText("1 gift card", { exact: true })).toBeVisible()
    await rowsOf(page).getByRole("link", { name: "Ana Silva", exact: true }).click()
    await expect(page.getByRole("region", { name: "History" })).toContainText("Issued by")
    await expect(page.getByRole("complementary", { name: "Facts" })).toContainText("ana.silva@coastal")
  })
}

async function shipByScanner(day: Day, id: string): Promise<Parcel> {
  const { page, money } = day
  const scanner = await plugScanner(page)
  await page.goto(`${money.app.url}/orders/ship`)
  await expect(page.getByRole("textbox", { name: "Scan the order" })).toBeFocused()
  const number = postNumber(0)
  const text = id.length + number.length
  // The scanner ends each code with Enter.
  await count(day, "11", { clicks: 0, text, keys: 2 }, async () => {
    await scanner.scan(id, "enter")
    await expect(page.getByRole("textbox", { name: "Scan the parcel" })).toBeFocused()
    await scanner.scan(number, "enter")
    await expect(page.getByRole("textbox", { name: "Scan the order" })).toBeFocused()
  })
  await expect(page.getByText("All saved")).toBeVisible()
  return { id, number }
}

/** Ships the first order of the list with the nth number. */
async function shipByHand(day: Day, job: "12" | "12 tablet" | "12 phone", n: number): Promise<Parcel> {
  const { page, money } = day
  await page.goto(`${money.app.url}/orders?status=to-ship`)
  // Rows are sorted again as more of them are loaded.
  await expect(page.getByText(/ to ship, oldest first/).first()).toBeAttached()
  const row = page.locator("[data-row]").first()
  await expect(row).toBeVisible()
  const id = (await row.getAttribute("data-row")) ?? ""
  const number = postNumber(n)
  const touch = job !== "12"
  await count(day, job, { clicks: 2, text: number.length, keys: 0 }, async () => {
    const add = page.getByRole("button", { name: `Add tracking to ${id}` })
    const send = page.getByRole("button", { name: "Ship", exact: true })
    if (!touch) await row.hover()
    await (touch ? add.tap() : add.click())
    await expect(page.getByLabel(/^Tracking number/)).toBeFocused()
    await page.keyboard.type(number)
    await (touch ? send.tap() : send.click())
    await expect(page.getByText(new RegExp(`^${id} (is shipped now|shipped)`))).toBeVisible()
    await expect(page.getByRole("dialog")).toBeHidden()
    await expect(page).toHaveURL(/\/orders\?status=to-ship/)
    await expect(page.locator(`[data-row="${id}"]`)).toHaveCount(0)
  })
  return { id, number }
}

async function importTracking(day: Day, ids: readonly string[]): Promise<readonly Parcel[]> {
  const { page, money } = day
  const parcels = ids.map((id, at) => ({ id, number: postNumber(2000 + at) }))
  const lines = ["Order number,Consignment", ...parcels.map(({ id, number }) => `${id},${number}`)]
  await page.goto(`${money.app.url}/orders`)
  await expect(rowsOf(page).nth(1)).toBeVisible()
  await count(day, "13", { clicks: 4 }, async () => {
    await page.getByRole("link", { name: "Import tracking" }).click()
    await chooseFile(page, {
      name: "tracking.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(lines.join("\r\n")),
    })
    await page.getByRole("button", { name: "Mark 300 orders shipped" }).click()
    await expect(page).toHaveURL(/\/jobs\/J/)
  })
  return parcels
}

/** Finds an order that another browser shipped and this one never loaded. */
async function whereIsMyOrder(day: Day, { id, number }: Parcel): Promise<void> {
  const { page, money } = day
  for (const [job, text] of [
    ["14", id.replace(/^\D+/, "")],
    ["14 parcel", number],
  ] as const) {
    // The import page was left immediately: its job runs in the background.
    await page.goto(`${money.app.url}/members`)
    await expect(rowsOf(page).nth(1)).toBeVisible()
    await count(day, job, { clicks: 0, text: text.length, keys: 2 }, async () => {
      await page.keyboard.press("ControlOrMeta+k")
      await page.keyboard.type(text)
      await page.keyboard.press("Enter")
      await expect(page.getByRole("heading", { level: 1, name: id })).toBeVisible()
      await expect(page.getByRole("link", { name: /^Track at / })).toHaveAttribute("href", /^https:\/\//)
    })
  }
}

/** A file of the people who left; the members who are inactive already are left out. */
async function deactivateLeavers({ page, money, ...day }: Day): Promise<void> {
  const ids = await money.service.memberIds(200)
  await page.goto(`${money.app.url}/members`)
  await expect(rowsOf(page).nth(1)).toBeVisible()
  await count({ page, money, ...day }, "15", { clicks: 4 }, async () => {
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByRole("link", { name: "Change members" }).click()
    await chooseFile(page, {
      name: "leavers.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(["member id,status", ...ids.map((id) => `${id},inactive`)].join("\n")),
    })
    await page.getByRole("button", { name: /^Deactivate \d+ members$/ }).click()
    await expect(page).toHaveURL(/\/jobs\/J/)
  })
}

/** The background jobs have done everything exactly once. */
async function expectEverythingOnce({ money }: Day, awards: readonly string[], shipped: readonly Parcel[]) {
  const long = { timeout: 120_000 }
  const { service } = money
  const points = async () =>
    (await service.effects("award", "deduct")).filter(({ reason }) => /Q3|Reversal/.test(reason))
  await expect.poll(async () => (await points()).length, long).toBe(2 * awards.length)
  const booked = await points()
  for (const sign of [1, -1]) {
    const those = booked.filter((each) => each.points * sign > 0)
    expect(those.map((each) => `${each.memberId} ${each.points * sign}`).toSorted()).toEqual(awards)
  }
  await expect.poll(async () => (await service.effects("card")).length, long).toBe(201)
  const cards = await service.effects("card")
  expect(cards.filter(({ cardId }) => cardId === "card_bunnings")).toHaveLength(100)
  expect(new Set(cards.map(({ memberId }) => memberId)).size).toBe(201)

  // Besides the redemption that was undone.
  const updates = async () =>
    (await service.effects("order-update")).filter(({ after }) => after["status"] !== "cancelled")
  await expect.poll(async () => (await updates()).length, long).toBe(shipped.length)
  const changes = (await updates()).map(({ id, after }) => ({ id, ...after }))
  const at = { status: "shipped", carrier: "Australia Post" }
  const expected = shipped.map(({ id, number }) => ({ id, ...at, tracking_number: number }))
  expect(changes).toEqual(expect.arrayContaining(expected))
}

/** Rows of the page's table, including the header. */
function rowsOf(page: Page) {
  return page.getByRole("table").getByRole("row")
}

/** Chooses a file. The system's dialog is not part of the page and not counted. */
async function chooseFile(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  const choosing = page.waitForEvent("filechooser")
  await page.getByRole("button", { name: "Choose a file" }).click()
  await (await choosing).setFiles(file)
}

/** Number, task, best other, target and Laurel's effort: a README row without the seconds. */
function cellsOf({ number, clicks, keys }: Figure): readonly string[] {
  const pressed = keys.length === 0 ? "" : ` + ${keys.length} k`
  const scans = keys.filter((key) => key === "Enter").length
  const ours = number === "11" ? `${scans} scans, ${clicks.length} c` : `${clicks.length} c${pressed}`
  return [number, ...jobs[number], ours]
}

/** The table for the terminal. */
function tableOf(figures: readonly Figure[]): string {
  const head = ["#", "job", "best other", "target", "Laurel", "browser's s"]
  const rows = [head, ...figures.map((figure) => [...cellsOf(figure), figure.seconds.toFixed(1)])]
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).join("\n")
}
