import { expect, test } from "vitest"
import type { Order } from "../../../contract/program/order.ts"
import type { Reward } from "../../../contract/program/reward.ts"
import { jobNeedingDecision } from "../../../tests/support/home/home-server.ts"
import { jobsTodo, ordersTodo, pendingTodo, rewardsTodo, waitLabel } from "./todo.tsx"

const now = Date.parse("2026-11-21T10:00:00Z")
const answer = { age: 0, at: now, stale: false }
const context = { now, ships: true, types: new Map<string, string>(), nameOf: () => undefined }
const queue = (orders: readonly Order[], complete = true) => ({ orders, complete, requests: 2, at: now })
const one: Order = { order_id: "ord_1", status: "pending", reward_name: "Drill kit" }

test.each([
  [0, "0 minutes"],
  [60_000, "1 minute"],
  [59 * 60_000, "59 minutes"],
  [60 * 60_000, "1 hour"],
  [47 * 3_600_000, "1 day"],
  [96 * 3_600_000, "4 days"],
  // The service's clock is ahead.
  [-5000, "0 minutes"],
])("waiting %d ms is %s", (ms, words) => {
  expect(waitLabel(ms)).toBe(words)
})

test("an order with a missing or invalid date is listed", () => {
  expect(ordersTodo(queue([one]), context)).toMatchObject({
    title: "1 order to ship",
    about: "Oldest is Drill kit",
  })
  expect(ordersTodo(queue([{ ...one, created_at: "soon", reward_name: null }]), context)?.about).toBe(
    "Oldest is ord_1",
  )
})

test("only roles that ship get a link to the ship desk", () => {
  expect(ordersTodo(queue([one]), context)).toMatchObject({
    label: "Ship desk",
    link: { to: "/orders/ship" },
  })
  expect(ordersTodo(queue([one]), { ...context, ships: false })?.link).toEqual({
    to: "/orders",
    search: { status: "to-ship" },
  })
})

test("digital orders wait for no parcel, by their own or their reward's type", () => {
  const digital = { ...one, reward_id: "rew_code" }
  const types = new Map([["rew_code", "Digital"]])
  expect(ordersTodo(queue([digital]), { ...context, types })).toBeUndefined()
  expect(ordersTodo(queue([{ ...one, fulfillment: { type: "digital" } }]), context)).toBeUndefined()
})

test("jobs: rows to decide and stopped jobs are counted separately, and a partial list has no total", () => {
  const paused = { ...jobNeedingDecision, id: "J-8", state: "paused", attention: 0 } as const
  expect(
    jobsTodo(
      { rows: [jobNeedingDecision, { ...jobNeedingDecision, attention: 2 }, paused], more: false, at: now },
      true,
    ),
  ).toMatchObject({
    title: "3 rows need a decision, 1 job is paused",
    about: "In 3 jobs, the newest Q3 installer bonus",
    link: { to: "/jobs", search: { state: "attention" } },
    label: "Decide",
  })
  expect(jobsTodo({ rows: [paused], more: false, at: now }, false)).toMatchObject({
    title: "1 job is paused",
    link: { to: "/jobs/$jobId", params: { jobId: "J-8" } },
    label: "Open",
  })
  // Like the notification about it.
  expect(jobsTodo({ rows: [paused], more: false, at: now }, true)?.label).toBe("Resume")
  expect(jobsTodo({ rows: [jobNeedingDecision], more: true, at: now }, true)?.title).toBe(
    "1+ rows need a decision",
  )
})

test("rewards: offered ones only, lowest stock first, with no total for a partial catalogue", () => {
  const reward = (id: string, stock: number | null, status = "active"): Reward => ({
    id,
    name: id,
    stock,
    status,
  })
  const rewards = [
    reward("cap", 9),
    reward("cup", -1),
    reward("kit", null),
    reward("old", 0, "Inactive"),
    reward("pen", 11),
  ]
  expect(rewardsTodo({ ...answer, data: rewards, meta: { page: 1, per_page: 100, total: 5 } })).toMatchObject(
    {
      title: "2 rewards low on stock",
      about: "cup is out; cap has 9",
    },
  )
  expect(rewardsTodo({ ...answer, data: rewards, meta: { page: 1, per_page: 100, total: 140 } })?.title).toBe(
    "2+ rewards low on stock",
  )
  expect(rewardsTodo({ ...answer, data: [reward("cap", 9)] })).toMatchObject({
    title: "1 reward low on stock",
    link: { to: "/rewards/$rewardId", params: { rewardId: "cap" } },
  })
})

test("pending members without a date are counted, without naming an oldest one", () => {
  expect(pendingTodo({ ...answer, data: [{ id: "mem_1", status: "pending" }] }, now)).toMatchObject({
    title: "1+ members are pending",
    about: "",
  })
  expect(pendingTodo({ ...answer, data: [], meta: { page: 1, per_page: 25, total: 0 } }, now)).toBeUndefined()
})
