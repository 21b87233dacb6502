import { expect, test } from "vitest"
import { actionLine } from "./audit.ts"

const change = (field: string, to: string) => ({ field, from: null, to })

test.each([
  ["points.award", [change("points", "1250")], "Awarded 1,250 points"],
  ["points.deduct", [change("points", "-1")], "Deducted 1 point"],
  ["card.issue", [change("amount", "50.00"), change("template", "visa")], "Issued a gift card of $50.00"],
  ["job.decide", [change("decision", "leave"), change("points", "-250")], "Resolved a row of 250 points"],
  ["job.decide", [change("amount", "50.00")], "Resolved a row of $50.00"],
  ["order.update", [change("parcels", "12")], "Shipped 12 parcels"],
  // An entry of an older version, or one that has no amount.
  ["points.award", [], "Awarded points"],
  ["job.decide", [], "Resolved a row"],
  ["member.update", [change("company", "Silva")], "Edited a member"],
  ["planet.move", [], "planet.move"],
])("%s is told with its amount", (action, changes, line) => {
  expect(actionLine({ action, changes }, "AUD")).toBe(line)
})
