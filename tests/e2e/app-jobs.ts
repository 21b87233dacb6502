import type { Page } from "@playwright/test"
import * as z from "zod"
import type { RowState } from "../../contract/job.ts"

/** An award as Laurel takes it. */
export interface AwardRow {
  readonly member_id: string
  readonly points: number
  readonly reason: string
}

const oneJob = z.object({ data: z.object({ id: z.string() }) })
const jobRows = z.object({
  data: z.array(z.object({ row: z.int(), state: z.string(), input: z.record(z.string(), z.unknown()) })),
})

/** Makes a job of awards as the page's own script would, and gives its id. The page has to be signed in. */
export async function startAwards(
  page: Page,
  rows: readonly AwardRow[],
  options: { readonly mode?: "bulk" | "single"; readonly title?: string } = {},
): Promise<string> {
  const answer = await page.evaluate(
    async (body) => {
      const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("")
      const response = await fetch("/api/jobs", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Laurel": "1", "Idempotency-Key": key },
        body: JSON.stringify(body),
      })
      return response.json() as Promise<unknown>
    },
    { kind: "award", rows, options },
  )
  return oneJob.parse(answer).data.id
}

/** Rows of a job that stand in one state, by their numbers. */
export async function rowsIn(
  page: Page,
  jobId: string,
  state: RowState,
): Promise<ReadonlyMap<number, AwardRow>> {
  const answer: unknown = await page.evaluate(
    async ([id, wanted]) => {
      const response = await fetch(`/api/jobs/${id}/rows?state=${wanted}&per_page=100`)
      return response.json() as Promise<unknown>
    },
    [jobId, state] as const,
  )
  const award = z.object({ member_id: z.string(), points: z.int(), reason: z.string() })
  return new Map(jobRows.parse(answer).data.map(({ row, input }) => [row, award.parse(input)]))
}
