import { type Browser, expect, type Page } from "@playwright/test"
import * as z from "zod"
import { type AppProcess, startAppProcess } from "../support/app-process.ts"
import { enter, test } from "./app.ts"
import { countEffort, type EffortCounter } from "./effort.ts"

const members = 12

/** Tests with an app whose ledgers are all read soon; `copy` is its address. */
export const copied = test.extend<object, { copy: string }>({
  copy: [
    // oxlint-disable-next-line no-empty-pattern -- the runner demands a destructured first argument
    async ({}, use) => {
      const app = await startCopiedApp()
      await use(app.url)
      await app.stop()
    },
    { scope: "worker" },
  ],
})

/** An app with a local copy of so few members that every ledger is read within half a minute. */
function startCopiedApp(): Promise<AppProcess> {
  const rates = { PROGRAM_RATE_LIMIT: "6000", SANDBOX_RATE_LIMIT: "6000" }
  return startAppProcess({ ...rates, SANDBOX_MEMBERS: String(members), SYNC: "on" })
}

const status = z.object({
  data: z.object({ copy: z.object({ ledgers: z.nullable(z.object({ live: z.number() })) }) }),
})
const months = z.object({ data: z.array(z.object({ month: z.string(), state: z.string() })) })

/** Waits until every ledger was read. The page is signed in. */
export async function everyLedgerRead(page: Page, url: string): Promise<void> {
  const read = async () =>
    status.parse(await (await page.request.get(`${url}/api/status`)).json()).data.copy.ledgers?.live
  await expect.poll(read, { timeout: 120_000 }).toBe(members)
}

/** Waits until every ledger was read, and returns the newest month that can be closed. The page is signed in. */
export async function monthToClose(page: Page, url: string): Promise<{ month: string; name: string }> {
  await everyLedgerRead(page, url)
  const { data } = months.parse(await (await page.request.get(`${url}/api/books`)).json())
  const month = data.find(({ state }) => state === "ready")?.month ?? ""
  const at = new Date(`${month}-01T00:00:00Z`)
  const name = new Intl.DateTimeFormat("en-AU", { month: "long", year: "numeric", timeZone: "UTC" })
  return { month, name: name.format(at) }
}

/** An administrator on the home page of such an app, in its own window, once a month can be closed. */
export async function onHomeWithBooks(
  browser: Browser,
  act: (effort: EffortCounter, close: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const app = await startCopiedApp()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  try {
    await enter(page, app.url, "admin")
    const { name } = await monthToClose(page, app.url)
    const effort = await countEffort(page)
    await page.goto(app.url)
    await expect(page.getByRole("region", { name: "Needs attention" })).toBeVisible()
    await act(effort, () => closeFromHome(page, name))
  } finally {
    await page.close()
    await app.stop()
  }
}

/** Closes a month from the home page: three clicks. */
export async function closeFromHome(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Books", exact: true }).click()
  await page.getByRole("link", { name: `Close ${name}` }).click()
  const dialog = page.getByRole("dialog", { name: `Close ${name}` })
  await expect(dialog).toContainText("A closed month never changes")
  await dialog.getByRole("button", { name: `Close ${name}` }).click()
  await expect(page.getByText(`${name} is closed`)).toBeVisible()
}
