import { expect } from "@playwright/test"
import { signIn } from "./app.ts"
import { lookAt } from "./look-at.ts"
import { test } from "./money-app.ts"
import { stillness, visit } from "./places.ts"
import { pointsPlacesOf } from "./points-places.ts"
import { makeTroubledJobs } from "./troubled-jobs.ts"
import { whatSticksOut } from "./what-sticks-out.ts"

const wide = { width: 1440, height: 900 }
const smaller = [
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]

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
    test.setTimeout(240_000)
    const findings = await lookAt(page)
    await signIn(page, money.app.url)
    const outside: string[] = []
    for (const place of pointsPlacesOf(await makeTroubledJobs(page, money))) {
      await visit(page, money.app.url, place)
      await findings.look(place.name)
      for (const size of [wide, ...smaller]) {
        await page.setViewportSize(size)
        await stillness(page)
        outside.push(...(await whatSticksOut(page)).map((part) => `${place.name} at ${size.width}: ${part}`))
        if (size.width === 390 && responsive.has(place.name)) await findings.look(`${place.name} at 390`)
      }
      await page.setViewportSize(wide)
    }
    expect(findings.all()).toEqual([])
    expect(outside).toEqual([])
  })
})
