import { expect, type Page } from "@playwright/test"
import { issuedCards, setFund } from "./card-service.ts"
import { signIn, test } from "./app.ts"

/** Cost of a live $50 card: face value, fee 2.50 and GST 0.25, in cents. */
const drawn = 5275

test.describe.configure({ mode: "serial" })

test.describe("issuing gift cards", () => {
  test("templates, costs and fund are saved in the settings", async ({ page, money }) => {
    await signIn(page, money.app.url)
    await page.goto(`${money.app.url}/settings/gift-cards`)
    await page.getByRole("button", { name: "Add a template" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Trade Visa")
    await page.getByLabel("Template id").fill("card_tradevisa")
    await page.getByLabel(/^Amounts/).fill("25, 50, 100, 1,000")
    await page.getByRole("button", { name: "Add Trade Visa" }).click()
    const row = page.getByRole("row").filter({ hasText: "card_tradevisa" })
    await expect(row).toContainText("$25$50$100$1,000")
    await row.getByRole("radio", { name: "Trade Visa is the default" }).click()
    await expect(row.getByRole("radio")).toBeChecked()

    await page.getByLabel(/^Fee per card/).fill("2.50")
    await page.getByLabel(/^In the fund now/).fill("20,000")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await expect(page.getByText("Saved.")).toBeVisible()
    await page.reload()
    await expect(page.getByLabel(/^In the fund now/)).toHaveValue("20000.00")
    await expect(row.getByRole("radio")).toBeChecked()
  })

  test("a new recipient becomes a pending member, and a refused amount is disabled", async ({
    page,
    money,
  }) => {
    await signIn(page, money.app.url)
    await page.goto(`${money.app.url}/cards/issue`)
    const dialog = page.getByRole("dialog", { name: "Issue a gift card" })
    await dialog.getByLabel("Recipient’s e-mail").fill("sione.latu@rimfireair.test")
    await expect(
      dialog.getByText("No member has this e-mail: a pending member will be created"),
    ).toBeVisible()
    await dialog.getByLabel("First name").fill("Sione")
    await dialog.getByLabel("Last name").fill("Latu")
    await dialog.getByRole("button", { name: "$1,000", exact: true }).click()
    await dialog.getByRole("button", { name: "Issue a $1,000.00 card to Sione Latu" }).click()
    await expect(dialog.getByText("This amount isn’t available")).toBeVisible()

    await dialog.getByRole("button", { name: "Correct and resend" }).click()
    await expect(dialog.getByText("The service refused $1,000.00 of Trade Visa before")).toBeVisible()
    await expect(dialog.getByRole("button", { name: /^Issue a \$1,000/ })).toBeDisabled()
    await dialog.getByRole("button", { name: "$25", exact: true }).click()
    await dialog.getByRole("button", { name: "Issue a $25.00 card to Sione Latu" }).click()
    await expect(
      dialog.getByText("Sione Latu was not a member yet: a pending member was created"),
    ).toBeVisible()
  })

  test("a pasted job pauses on an empty fund and issues no card twice after a top-up", async ({
    page,
    context,
    money,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    const before = (await issuedCards(money.service.url)).length
    await signIn(page, money.app.url)
    await setFund(money.service.url, 14 * drawn)
    await page.goto(`${money.app.url}/settings/gift-cards`)
    await page.getByLabel(/^In the fund now/).fill(((14 * drawn) / 100).toFixed(2))
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await expect(page.getByText("Saved.")).toBeVisible()
    await page.goto(`${money.app.url}/cards`)
    await copy(page, spreadsheet(20))
    await page.getByRole("link", { name: "Issue from a file" }).click()
    await expect(page.getByRole("button", { name: "Choose a file" })).toBeVisible()
    await page.keyboard.press("ControlOrMeta+v")
    // Row 1 is the header: the 14th card is in row 15.
    await expect(page.getByText("The fund runs out after row 15")).toBeVisible()
    await page.getByRole("button", { name: "Issue 20 cards, $1,000.00" }).click()
    await expect(page).toHaveURL(/\/jobs\//)
    await expect(page.getByText("The program’s fund is too low")).toBeVisible()
    expect((await issuedCards(money.service.url)).length - before).toBe(14)
    await setFund(money.service.url, 1_000_000)
    await page.getByRole("button", { name: "Resume" }).click()
    const since = async () => (await issuedCards(money.service.url)).slice(before)
    await expect.poll(async () => (await since()).length).toBe(20)
    await expect(page.getByText("The program’s fund is too low")).toBeHidden()
    await expect(page.getByRole("button", { name: "Resume" })).toBeHidden()
    const cards = await since()
    expect(cards).toHaveLength(20)
    expect(new Set(cards.map(({ memberId }) => memberId)).size).toBe(20)
  })
})

async function copy(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text)
}

/** A tab-separated range with a header, as copied from a spreadsheet. */
function spreadsheet(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `winner.${at}@site.test\tWinner\tNo ${at}\t50`)
  return ["email\tfirst name\tlast name\tamount", ...rows].join("\n")
}
