import { render, screen } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { memberStatuses } from "../../contract/program/member.ts"
import { orderStatuses } from "../../contract/program/order.ts"
import { transactionTypes } from "../../contract/program/points.ts"
import { rewardStatuses, rewardTypes } from "../../contract/program/reward.ts"
import { serviceStates } from "../../contract/status.ts"
import { Status, type StatusOf, type StatusTone, statusText } from "./status.tsx"

/** The status vocabulary, row by row: value, tone, word. */
const table: readonly [StatusOf, string, StatusTone, string][] = [
  ["member", "active", "success", "Active"],
  ["member", "inactive", "grey", "Inactive"],
  ["member", "pending", "warning", "Pending"],
  ["order", "pending", "warning", "Pending"],
  ["order", "processing", "info", "Processing"],
  ["order", "shipped", "info", "Shipped"],
  ["order", "completed", "success", "Completed"],
  ["order", "cancelled", "grey", "Cancelled"],
  ["reward", "active", "success", "Active"],
  ["reward", "inactive", "grey", "Inactive"],
  ["reward-type", "digital", "grey", "Digital"],
  ["reward-type", "physical", "grey", "Physical"],
  ["transaction", "award", "grey", "Award"],
  ["transaction", "redeem", "grey", "Redeem"],
  ["transaction", "deduct", "grey", "Deduct"],
  ["transaction", "expire", "grey", "Expire"],
  ["transaction", "adjust", "grey", "Adjust"],
  ["service", "answering", "success", "Answering"],
  ["service", "slow", "warning", "Slow"],
  ["service", "not_answering", "danger", "Not answering"],
  ["service", "failing", "danger", "Last calls failed"],
  ["service", "not_connected", "grey", "Not connected"],
]

describe("a status", () => {
  it.each(table)("%s %s is %s and reads %s", (of, value, tone, word) => {
    render(<Status of={of} value={value} />)
    expect(screen.getByText(word)).toHaveAttribute("data-tone", tone)
    const icon = `.tabler-icon-${statusText(of, value).icon}`
    expect(screen.getByText(word).querySelector(icon)).toBeInTheDocument()
  })

  it("has a distinct word for every documented value", () => {
    const documented: Record<StatusOf, readonly string[]> = {
      member: memberStatuses,
      order: orderStatuses,
      reward: rewardStatuses,
      "reward-type": rewardTypes,
      transaction: transactionTypes,
      service: serviceStates,
    }
    for (const [of, values] of Object.entries(documented)) {
      for (const value of values) expect(statusText(of as StatusOf, value).word).not.toBe(value)
    }
  })

  it("ignores case, and shows undocumented values unchanged", () => {
    expect(statusText("member", "Pending").word).toBe("Pending")
    expect(statusText("order", "backordered")).toMatchObject({ tone: "grey", word: "backordered" })
    expect(statusText("order", "toString").word).toBe("toString")
  })

  it("draws nothing for a missing value", () => {
    const { container } = render(<Status of="member" value={null} />)
    expect(container).toBeEmptyDOMElement()
  })
})
