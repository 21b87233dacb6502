import { expect, type Page } from "@playwright/test"
import * as z from "zod"
import { type AppProcess, startAppProcess } from "../support/app-process.ts"

const members = 12

/** An app with a local copy of so few members that every ledger is read within half a minute. */
export function startCopiedApp(): Promise<AppProcess> {
  const rates = { PROGRAM_RATE_LIMIT: "6000", SANDBOX_RATE_LIMIT: "6000" }
  return startAppProcess({ ...rates, SANDBOX_MEMBERS: String(members), SYNC: "on" })
}

const status = z.object({
  data: z.object({ copy: z.object({ ledgers: z.nullable(z.object({ live: z.number() })) }) }),
})
const months = z.object({ data: z.array(z.object({ month: z.string(), state: z.string() })) })

/** Waits until every ledger was read, and returns the newest month that can be closed. The page is signed in. */
export async function monthToClose(page: Page, url: string): Promise<{ month: string; name: string }> {
  const read = async () =>
    status.parse(await (await page.request.get(`${url}/api/status`)).json()).data.copy.ledgers?.live
  await expect.poll(read, { timeout: 120_000 }).toBe(members)
  const { data } = months.parse(await (await page.request.get(`${url}/api/books`)).json())
  const month = data.find(({ state }) => state === "ready")?.month ?? ""
  const at = new Date(`${month}-01T00:00:00Z`)
  const name = new Intl.DateTimeFormat("en-AU", { month: "long", year: "numeric", timeZone: "UTC" })
  return { month, name: name.format(at) }
}
