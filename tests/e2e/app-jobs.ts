import { randomUUID } from "node:crypto"
import type { Page } from "@playwright/test"
import * as z from "zod"
import type { RowState } from "../../contract/job.ts"

/** An award row. */
export interface AwardRow {
  readonly member_id: string
  readonly points: number
  readonly reason: string
}

const oneJob = z.object({ data: z.object({ id: z.string() }) })
const jobRows = z.object({
  data: z.array(z.object({ row: z.int(), state: z.string(), input: z.record(z.string(), z.unknown()) })),
})

/** Creates an award job; returns its id. The page must be signed in. */
export async function startAwards(
  page: Page,
  url: string,
  rows: readonly AwardRow[],
  options: { readonly mode?: "bulk" | "single"; readonly title?: string } = {},
): Promise<string> {
  return startJob(page, url, { kind: "award", rows, options })
}

/** Creates a job of any kind; returns its id. */
export async function startJob(page: Page, url: string, body: unknown): Promise<string> {
  const answer = await page.request.post(`${url}/api/jobs`, {
    headers: { "X-Laurel": "1", "Idempotency-Key": randomUUID() },
    data: body,
  })
  return oneJob.parse(await answer.json()).data.id
}

/** A job's rows in one state, by row number. */
export async function rowsIn(
  page: Page,
  url: string,
  jobId: string,
  state: RowState,
): Promise<ReadonlyMap<number, AwardRow>> {
  const answer = await page.request.get(`${url}/api/jobs/${jobId}/rows?state=${state}&per_page=100`)
  const award = z.object({ member_id: z.string(), points: z.int(), reason: z.string() })
  return new Map(jobRows.parse(await answer.json()).data.map(({ row, input }) => [row, award.parse(input)]))
}
