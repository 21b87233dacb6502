import { expect, it } from "vitest"
import { pauseCodes } from "../../../contract/job.ts"
import { madeUpJob } from "../../../tests/support/activity/made-up-job.ts"
import { pauseText } from "./job-notes.tsx"

const counts = madeUpJob({}).counts
const codes = Object.values(pauseCodes)

it.each(codes)("pause %s has a specific title and text", (code) => {
  const { title, text } = pauseText({
    kind: "giftcard",
    counts,
    pause: { code, message: `Because of ${code}.` },
  })
  const others = codes
    .filter((other) => other !== code)
    .map(
      (other) =>
        pauseText({ kind: "giftcard", counts, pause: { code: other, message: `Because of ${other}.` } })
          .title,
    )
  expect(title).not.toBe("")
  expect(text).not.toBe("")
  expect(others).not.toContain(title)
  expect(`${title} ${text}`).not.toMatch(/The service refused|Fix what it names/)
})

it("pause for an undocumented refusal quotes the service's message", () => {
  const { title, text } = pauseText({
    kind: "award",
    counts,
    pause: { code: "PLAN_EXPIRED", message: "The plan ended" },
  })
  expect(title).toBe("The service refused")
  expect(text).toContain("The plan ended.")
})

it("pause while the ledger is refused says that sent rows can't be checked, not that nothing was changed", () => {
  const pause = { code: "403", message: "" }
  const { text } = pauseText({ kind: "award", counts: { ...counts, unknown: 3 }, pause })
  expect(text).toContain("3 rows sent before can’t be checked")
  expect(text).not.toContain("Nothing was changed")
})
