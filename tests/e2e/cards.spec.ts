import { expect } from "@playwright/test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { demoKey } from "../../sandbox/config.ts"
import { startJob } from "./app-jobs.ts"
import { signIn, test } from "./app.ts"
import { browserStorage } from "./browser-storage.ts"
import { reportMeasurement } from "./report-measurement.ts"

test("a link is revealed with a reason, and neither it nor a key is stored anywhere", async ({
  page,
  money,
}) => {
  const answers: string[] = []
  page.on("response", (response) => {
    if (response.url().includes("/reveal") || response.url().includes("/events")) return
    void response
      .text()
      .then((body) => answers.push(body))
      .catch(() => undefined)
  })
  await signIn(page, money.app.url)
  const member = { email: "reveal-me@cards.example", firstname: "Ada", lastname: "reveal-me" }
  const rows = [{ member, denomination: 50, cardId: "card_tradevisa" }]
  const job = await startJob(page, money.app.url, { kind: "giftcard", rows })
  await page.goto(`${money.app.url}/jobs/${job}`)
  await expect(page.getByText("Done", { exact: true }).first()).toBeVisible()
  await page.goto(`${money.app.url}/cards?search=reveal-me`)
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

  await page.goto(`${money.app.url}/cards?open=export`)
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: /^Download \d+ cards/ }).click()
  const file = readFileSync((await (await download).path()) ?? "", "utf8")
  expect(file).toContain("reveal-me@cards.example")
  await page.goto(`${money.app.url}/audit`)
  await expect(page.getByText("Revealed a gift card’s link").first()).toBeVisible()

  const stored = await page.evaluate(browserStorage)
  const bundle = readdirSync("dist/app", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
  const texts = [stored, file, money.app.output(), ...answers, ...bundle]
  const found = texts.filter((text) =>
    [token, demoKey, "redeem.giftcards"].some((secret) => text.includes(secret)),
  )
  reportMeasurement(
    test.info(),
    `secrets in ${texts.length} texts (browser storage, export, ${answers.length} answers, ${bundle.length} files of the bundle, log): ${found.length}`,
  )
  expect(found).toEqual([])
})
