import { expect, it } from "vitest"
import { createSightings } from "./camera-scan.tsx"

/** What counts as a scan of what pictures show, one each 100 ms. */
function scansOf(pictures: readonly (string | undefined)[]): string[] {
  const news = createSightings()
  return pictures.flatMap((text, index) => news(text, index * 100) ?? [])
}

const away = Array.from<undefined>({ length: 31 })

it("a code held before the camera is one scan, however long it stays, and another one when it comes back", () => {
  const held = ["ord_1", undefined, "ord_1", "ord_1", ...away.slice(0, 20), "ord_1"]
  expect(scansOf(held)).toEqual(["ord_1"])
  expect(scansOf([...held, ...away, "ord_1", "ord_1"])).toEqual(["ord_1", "ord_1"])
})

it("slip and label in one picture are two scans, and what was read once only is none", () => {
  expect(scansOf(["ord_1", "ord_1", "RB12", "RB12", "ord_1", "ord_1", "RB12", "RB12"])).toEqual([
    "ord_1",
    "RB12",
  ])
  expect(scansOf(["ord_1", "ord_7", "ord_1", "ord_1"])).toEqual(["ord_1"])
})
