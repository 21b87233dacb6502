import type { Page } from "@playwright/test"
import * as z from "zod"

/** The id of Ana Silva, who has a long ledger. The page must be signed in. */
export async function anaSilva(page: Page, url: string): Promise<string> {
  const answer = await page.request.get(`${url}/api/program/members?search=ana.silva`)
  const list = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(await answer.json())
  const id = list.data[0]?.id
  if (id === undefined) throw new Error("The seed has no Ana Silva.")
  return id
}

/** Ids of active members from the first page of the list. The page must be signed in and open. */
export async function readMemberIds(page: Page, count: number): Promise<readonly string[]> {
  const body: unknown = await page.evaluate(async () => {
    const answer = await fetch("/api/program/members?status=active&per_page=100")
    return answer.json()
  })
  const list = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(body)
  return list.data.slice(0, count).map(({ id }) => id)
}
