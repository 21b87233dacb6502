import { expect, it } from "vitest"
import { madeUpJob } from "../../tests/support/activity/made-up-job.ts"
import { noticeLine } from "./notice-line.ts"

it.each([
  [{ name: "tracking.csv", fingerprint: "0123456789abcdef" }, "5 parcels saved"],
  [null, "5 orders saved"],
])("a finished job of order updates says what was saved: file %j", (file, title) => {
  const job = { ...madeUpJob({ kind: "order-update", points: null, counts: { confirmed: 5 } }), file }
  const notice = { key: "k", read: false, kind: "finished", at: "2026-11-20T00:00:00.000Z", job } as const
  expect(noticeLine(notice, { acts: true, currency: "AUD" }).title).toBe(title)
})

it("a decision about returned points leads to its order", () => {
  const job = madeUpJob({ kind: "order-return", points: null, counts: { conflict: 1 }, attention: 1 })
  const notice = { key: "k", read: false, kind: "decision", at: job.created_at, job } as const
  const returned = { order_id: "ord_1", twice: true }
  const line = noticeLine({ ...notice, returned }, { acts: true, currency: "AUD" })
  expect(line).toMatchObject({
    title: "Returned twice?",
    label: "Reverse",
    link: { to: "/orders/$orderId", params: { orderId: "ord_1" } },
  })
})
