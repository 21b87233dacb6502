import { expect } from "@playwright/test"
import { signIn, test, watch } from "./app.ts"

const newcomer = { name: "Noa Levi", email: "noa.levi@program.example", password: "a sentence of her own" }

test("a user is created, signs in by the one-time link, and is signed out immediately when disabled", async ({
  page,
  browser,
  staging,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await signIn(page, staging.app.url)
  await page.goto(`${staging.app.url}/settings/users`)
  await page.getByRole("link", { name: "New user" }).click()
  await page.getByLabel("Name", { exact: true }).fill(newcomer.name)
  await page.getByLabel("E-mail", { exact: true }).fill(newcomer.email)
  await page.getByRole("radiogroup", { name: "Role" }).getByText("Manager", { exact: true }).click()
  await page.getByRole("button", { name: `Create ${newcomer.name}` }).click()
  const link = await page.getByLabel("One-time link").inputValue()
  await page.getByRole("button", { name: "Copy link" }).click()
  await page.getByRole("button", { name: "Done" }).click()

  const complaints: string[] = []
  const elsewhere = await browser.newContext()
  const hers = await elsewhere.newPage()
  watch(hers, complaints)
  await hers.goto(link)
  await hers.getByLabel("New password").fill(newcomer.password)
  await hers.getByRole("button", { name: "Set the password and sign in" }).click()
  await expect(hers.getByRole("heading", { name: "Today" })).toBeVisible()

  // The link works only once.
  const later = await elsewhere.newPage()
  await later.goto(link)
  await expect(later.getByLabel("New password")).toHaveCount(0)
  await later.close()

  await page.getByRole("link", { name: newcomer.name }).click()
  await page.getByRole("button", { name: "Disable" }).click()
  await page
    .getByRole("dialog", { name: `Disable ${newcomer.name}` })
    .getByRole("button", { name: "Disable" })
    .click()
  await expect(page.getByRole("button", { name: "Enable" })).toBeVisible()

  // Without any action of hers, Laurel shows that she is signed out, and her password no longer works.
  const again = hers.getByRole("dialog", { name: "Sign in again" })
  await expect(again).toBeVisible()
  await again.getByLabel("Password", { exact: true }).fill(newcomer.password)
  await again.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(again.getByRole("alert")).toBeVisible()
  expect(complaints).toEqual([])
  await elsewhere.close()
})
