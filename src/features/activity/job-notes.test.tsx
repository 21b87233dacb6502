import { expect, it } from "vitest"
import { pauseCodes } from "../../../contract/job.ts"
import { pauseText } from "./job-notes.tsx"

const codes = Object.values(pauseCodes)

it.each(codes)("pause %s has a title and a sentence of its own", (code) => {
  const { title, text } = pauseText({ kind: "giftcard", pause: { code, message: "It paused." } })
  const others = codes
    .filter((other) => other !== code)
    .map((other) => pauseText({ kind: "giftcard", pause: { code: other, message: "It paused." } }).title)
  expect(title).not.toBe("")
  expect(text).not.toBe("")
  expect(others).not.toContain(title)
  expect(`${title} ${text}`).not.toMatch(/The service refused|Fix what it names/)
})

it("pause by an undocumented refusal carries the service's own words", () => {
  const { title, text } = pauseText({
    kind: "award",
    pause: { code: "PLAN_EXPIRED", message: "The plan ended" },
  })
  expect(title).toBe("The service refused")
  expect(text).toContain("The plan ended.")
})
