import { expect } from "@playwright/test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { demoKey } from "../../sandbox/config.ts"
import { cardRow, startCards } from "./cards-app.ts"
import { signIn, test } from "./app.ts"
import { browserStorage } from "./browser-storage.ts"
import { reportMeasurement } from "./report-measurement.ts"

test("a card is looked up by reference and template, and added to the register", async ({ page, cards }) => {
  await signIn(page, cards.app.url)
  await page.goto(`${cards.app.url}/cards`)
  await expect(page.getByRole("heading", { level: 1, name: "Gift cards" })).toBeVisible()
  await page.goto(`${cards.app.url}/cards?open=look-up&find=SPRINT-0131`)
  const drawer = page.getByRole("dialog", { name: "Look up a card" })
  await expect(drawer.getByText("Several cards have this reference")).toBeVisible()
  await drawer.getByLabel("Another template id").fill("card_bunnings")
  await drawer.getByRole("button", { name: "Look up in this template" }).click()
  await drawer.getByRole("button", { name: "Add to the register" }).click()
  await expect(drawer.getByText("Added to the register")).toBeVisible()
  await drawer.getByRole("link", { name: "Open the card" }).click()
  await expect(page.getByRole("complementary", { name: "Facts" })).toContainText("Issued elsewhere")
  await expect(page.getByRole("region", { name: "History" })).toContainText("Added to the register")
})

test("an unknown card id gives a message", async ({ page, cards }) => {
  await signIn(page, cards.app.url)
  await page.goto(`${cards.app.url}/cards?open=look-up&find=nobody-has-this`)
  await expect(page.getByText("The service has no card “nobody-has-this”")).toBeVisible()
})

test("a link is revealed with a reason, and neither it nor a key is stored anywhere", async ({
  page,
  cards,
}) => {
  const answers: string[] = []
  page.on("response", (response) => {
    if (response.url().includes("/reveal") || response.url().includes("/events")) return
    void response
      .text()
      .then((body) => answers.push(body))
      .catch(() => undefined)
  })
  await signIn(page, cards.app.url)
  const job = await startCards(page, cards, [cardRow("reveal-me")])
  await page.goto(`${cards.app.url}/jobs/${job}`)
  await expect(page.getByText("Done", { exact: true }).first()).toBeVisible()
  await page.goto(`${cards.app.url}/cards?search=reveal-me`)
  await page.getByRole("table").getByRole("link", { name: "Ada reveal-me", exact: true }).first().click()
  await page.getByRole("button", { name: "Reveal the link" }).click()
  const dialog = page.getByRole("dialog", { name: "Reveal the redeem link" })
  await expect(dialog.getByText(/may e-mail Ada/)).toBeVisible()
  await dialog.getByLabel("Reason for revealing").fill("The e-mail never arrived")
  await dialog.getByRole("button", { name: "Reveal the link" }).click()
  const link = await dialog.getByText(/^https:\/\//).innerText()
  const token = link.slice(link.lastIndexOf("/") + 1)
  expect(token.length).toBeGreaterThan(20)
  expect(await page.evaluate(browserStorage)).not.toContain(token)
  await dialog.getByRole("button", { name: "Done" }).click()
  await expect(dialog).toBeHidden()
  expect(await page.content()).not.toContain(token)
  await expect(page.getByText("Reason: The e-mail never arrived")).toBeVisible()

  await page.goto(`${cards.app.url}/cards?open=export`)
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: /^Download \d+ cards/ }).click()
  const file = readFileSync((await (await download).path()) ?? "", "utf8")
  expect(file).toContain("reveal-me@cards.example")
  await page.goto(`${cards.app.url}/audit`)
  await expect(page.getByText("Revealed a gift card’s link").first()).toBeVisible()

  const stored = await page.evaluate(browserStorage)
  const bundle = readdirSync("dist/app", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
  const texts = [stored, file, cards.app.output(), ...answers, ...bundle]
  const found = texts.filter((text) =>
    [token, demoKey, "redeem.giftcards"].some((secret) => text.includes(secret)),
  )
  reportMeasurement(
    test.info(),
    `secrets in ${texts.length} texts (browser storage, export, ${answers.length} answers, ${bundle.length} files of the bundle, log): ${found.length}`,
  )
  expect(found).toEqual([])
})

test("a reveal that issued a new card shows an alert and no link", async ({ page, cards }) => {
  await signIn(page, cards.app.url)
  await cards.service.set({ keyRetentionMs: 1 })
  const job = await startCards(page, cards, [cardRow("forgotten")])
  await page.goto(`${cards.app.url}/jobs/${job}`)
  await expect(page.getByText("Done", { exact: true }).first()).toBeVisible()
  await page.goto(`${cards.app.url}/cards?search=forgotten`)
  await page.getByRole("table").getByRole("link", { name: "Ada forgotten", exact: true }).first().click()
  await page.getByRole("button", { name: "Reveal the link" }).click()
  const dialog = page.getByRole("dialog", { name: "Reveal the redeem link" })
  await dialog.getByLabel("Reason for revealing").fill("Requested")
  await dialog.getByRole("button", { name: "Reveal the link" }).click()
  await expect(dialog.getByRole("alert")).toBeVisible()
  await expect(dialog.getByText(/^https:\/\//)).toHaveCount(0)
})
