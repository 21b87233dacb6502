import { expect, it } from "vitest"
import { createSightings } from "./camera-scan.tsx"

/** Scans found in a series of pictures, one every 100 ms. */
function scansIn(pictures: readonly (string | undefined)[]): string[] {
  const news = createSightings()
  return pictures.flatMap((text, index) => news(text, index * 100) ?? [])
}

const away = Array.from<undefined>({ length: 31 })

it("a code held in front of the camera is one scan until it leaves and comes back", () => {
  const visible = ["ord_1", undefined, "ord_1", "ord_1", ...away.slice(0, 20), "ord_1"]
  expect(scansIn(visible)).toEqual(["ord_1"])
  expect(scansIn([...visible, ...away, "ord_1", "ord_1"])).toEqual(["ord_1", "ord_1"])
})

it("slip and label in one picture are two scans; a code read only once is ignored", () => {
  expect(scansIn(["ord_1", "ord_1", "RB12", "RB12", "ord_1", "ord_1", "RB12", "RB12"])).toEqual([
    "ord_1",
    "RB12",
  ])
  expect(scansIn(["ord_1", "ord_7", "ord_1", "ord_1"])).toEqual(["ord_1"])
})
