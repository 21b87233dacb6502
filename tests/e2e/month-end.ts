import { type Browser, expect, type Page } from "@playwright/test"
import * as z from "zod"
import { monthName } from "../../contract/books.ts"
import { enter } from "./app.ts"
import { startCopiedApp } from "./copied-app.ts"
import { countEffort, type EffortCounter } from "./effort.ts"

const months = z.object({ data: z.array(z.object({ month: z.string(), state: z.string() })) })

/** The newest month that can be closed. The page is signed in to an app with a complete local copy. */
export async function monthToClose(page: Page, url: string): Promise<{ month: string; name: string }> {
  const { data } = months.parse(await (await page.request.get(`${url}/api/books`)).json())
  const month = data.find(({ state }) => state === "ready")?.month ?? ""
  return { month, name: monthName(month) }
}

/** An administrator on the home page of such an app, in its own window. */
export async function onHomeWithBooks(
  browser: Browser,
  act: (effort: EffortCounter, close: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const app = await startCopiedApp(12)
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
