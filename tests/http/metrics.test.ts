import { DatabaseSync } from "node:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startApp, type TestApp } from "../support/server.ts"

const token = "a-token-for-the-tests"
const folder = mkdtempSync(join(tmpdir(), "laurel-metrics-"))
let app: TestApp

beforeAll(async () => {
  app = await startApp({ dataDir: folder, rateLimit: 50, env: { METRICS_TOKEN: token } })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Values of the exposition by name and labels. */
async function scrape(): Promise<Map<string, string>> {
  const answer = await fetch(`${app.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(200)
  const lines = (await answer.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]),
  )
}

test("a scrape has the store's figures, with a zero for each state without jobs", async () => {
  const found = await scrape()
  expect(found.get("laurel_store_up")).toBe("1")
  expect(found.get("laurel_rows_for_person")).toBe("0")
  expect(found.get("laurel_oldest_unknown_seconds")).toBe("0")
  expect(found.get('laurel_jobs{state="paused"}')).toBe("0")
  expect(Number(found.get('laurel_budget_left{api="giftcard"}'))).toBeGreaterThan(0)
  expect(Number(found.get("laurel_store_read_seconds"))).toBeGreaterThan(0)
})

test("a refused key is counted apart from other refusals", async () => {
  const admin = await app.signIn("admin")
  app.sandbox.settings.keys = []
  await admin.ask("/status/program/test", { method: "POST" })
  app.sandbox.settings.keys = null
  const found = [...(await scrape())].filter(([name]) => name.includes('outcome="key_refused"'))
  expect(found).toContainEqual([expect.stringMatching(/_count\{.*operation="GET \/members"/), "1"])
})

test("while the store does not answer no old figure is shown, and the scrape succeeds", async () => {
  await scrape()
  const other = new DatabaseSync(join(folder, "sandbox.db"))
  other.exec("alter table job rename to job_away")
  const found = await scrape()
  other.exec("alter table job_away rename to job")
  other.close()
  expect(found.get("laurel_store_up")).toBe("0")
  expect(
    [...found.keys()].filter((name) => /^laurel_(jobs|rows_|oldest|budget_left|history_lag)/.test(name)),
  ).toEqual([])
  expect((await scrape()).get("laurel_store_up")).toBe("1")
})
