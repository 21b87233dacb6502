import { expect } from "@playwright/test"
import { signIn, test } from "./app.ts"
import { inspectPages } from "./inspect-pages.ts"
import { pointsPlacesOf } from "./points-places.ts"
import { makeTroubledJobs } from "./troubled-jobs.ts"

/** Places with a separate layout on phones, checked by all rules there too. */
const responsive = new Set([
  "award three",
  "award from a file, rows",
  "jobs",
  "job, a row to decide",
  "job, fix the failed",
])

test.describe.configure({ mode: "parallel" })

test.describe("points and jobs with failures", () => {
  test("pages have no accessibility violation, no CSP violation and no overflow", async ({ page, money }) => {
    test.setTimeout(600_000)
    const findings = await inspectPages(page)
    await signIn(page, money.app.url)
    const places = pointsPlacesOf(await makeTroubledJobs(page, money))
    await findings.checkPlaces(money.app.url, places, { responsive, reload: true })
    expect(findings.all()).toEqual([])
  })
})
