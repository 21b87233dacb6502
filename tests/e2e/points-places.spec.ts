import { expect } from "@playwright/test"
import { signIn, test } from "./app.ts"
import { lookAt } from "./look-at.ts"
import { pointsPlacesOf } from "./points-places.ts"
import { makeTroubledJobs } from "./troubled-jobs.ts"

/** What is laid out anew on a phone, and so looked at by the accessibility rules there too. */
const responsive = new Set([
  "award three",
  "award from a file, rows",
  "jobs",
  "job, a row to decide",
  "job, fix the failed",
])

test.describe.configure({ mode: "parallel" })

test.describe("points and jobs on a bad day", () => {
  test("no accessibility violation, nothing refused by the content policy, nothing sticks out", async ({
    page,
    money,
  }) => {
    test.setTimeout(600_000)
    const findings = await lookAt(page)
    await signIn(page, money.app.url)
    const places = pointsPlacesOf(await makeTroubledJobs(page, money))
    await findings.lookAtEverySize(money.app.url, places, responsive)
    expect(findings.all()).toEqual([])
  })
})
