import { mkdirSync } from "node:fs"
import { signIn } from "./desk.ts"
import { test } from "./money-desk.ts"
import { visit } from "./places.ts"
import { pointsPlacesOf } from "./points-places.ts"
import { makeTroubledJobs } from "./troubled-jobs.ts"
test("look", async ({ page, money }) => {
  test.setTimeout(280000)
  await signIn(page, money.desk.url)
  const t = Date.now()
  const jobs = await makeTroubledJobs(page, money)
  console.log("made in", Date.now() - t)
  mkdirSync("/tmp/look", { recursive: true })
  const only = process.env.ONLY ? new RegExp(process.env.ONLY) : /./
  for (const place of pointsPlacesOf(jobs)) {
    if (!only.test(place.name)) continue
    for (const [tag, w, h] of [["1440", 1440, 900], ["820", 820, 1180], ["390", 390, 844]] as const) {
      if (tag === "820" && process.env.SKIP820) continue
      await page.setViewportSize({ width: w, height: h })
      try { await visit(page, money.desk.url, place) } catch (e) { console.log("FAILED", place.name, tag, String(e).slice(0, 300)); }
      for (const c of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: c })
        await page.screenshot({ path: `/tmp/look/${place.name.replaceAll(/[ ,]+/g, "-")}-${tag}-${c}.png` })
      }
      await page.emulateMedia({ colorScheme: "light" })
    }
  }
})
