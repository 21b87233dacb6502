import { expect, test } from "vitest"
import type { UpstreamOutcome } from "../ports.ts"
import { readCallOutcome } from "./outcome.ts"

const times = { ms: 1200, endedAt: 0 }
const answer = (status: number, body: unknown): UpstreamOutcome => ({
  kind: "answer",
  status,
  body,
  ...times,
})
const refusal = (code: unknown) => ({ success: false, error: { code, message: "No." } })

test.each<[string, UpstreamOutcome, string]>([
  ["nothing was sent", { kind: "not_sent", what: "refused", ...times }, "not_done"],
  ["429", answer(429, refusal("rate_limited")), "not_done"],
  ["429 that cannot be read", { kind: "unreadable", status: 429, what: "a web page", ...times }, "not_done"],
  ["a success", answer(200, { success: true, data: { id: 1 } }), "success"],
  ["a delete", answer(204, undefined), "success"],
  ["400 with an error", answer(400, refusal("invalid_request")), "refused"],
  ["404 with an error", answer(404, refusal("not_found")), "refused"],
  ["409 with an error", answer(409, refusal("whatever")), "refused"],
  ["422 with an error", answer(422, refusal("whatever")), "refused"],
  ["400 without a code", answer(400, refusal(undefined)), "refused"],
  ["400 of another shape", answer(400, ["no"]), "refused"],
  ["422 with a page", { kind: "unreadable", status: 422, what: "a web page", ...times }, "refused"],
  ["409 without a code", answer(409, refusal(undefined)), "unknown"],
  ["409 with a page", { kind: "unreadable", status: 409, what: "a web page", ...times }, "unknown"],
  ["404 of a proxy", answer(404, { message: "no route" }), "unknown"],
  ["401", answer(401, refusal("unauthorized")), "systemic"],
  ["402", answer(402, {}), "systemic"],
  ["403", answer(403, {}), "systemic"],
  ["405", answer(405, refusal("nope")), "unknown"],
  ["408", answer(408, refusal("nope")), "unknown"],
  ["500", answer(500, refusal("server_error")), "unknown"],
  ["502", answer(502, {}), "unknown"],
  ["503", answer(503, refusal("x")), "unknown"],
  ["504", answer(504, {}), "unknown"],
  ["a page", { kind: "unreadable", status: 200, what: "a web page", ...times }, "unknown"],
  ["a reset", { kind: "no_answer", what: "the connection was closed", ...times }, "unknown"],
])("%s", (_, outcome, kind) => {
  expect(readCallOutcome("program", outcome).kind).toBe(kind)
})

test.each<[number, unknown, object]>([
  [400, refusal(4001), { kind: "refused", code: "4001", message: "No." }],
  [409, { errorCode: "CLOSED", message: "No." }, { kind: "refused", code: "CLOSED", message: "No." }],
  [422, { errors: [{ code: "CLOSED", message: "No." }] }, { kind: "refused", code: "CLOSED" }],
  // A proxy says as much.
  [404, { code: 404, message: "no route" }, { kind: "unknown" }],
])("a %i of the program service is read in each shape: %j", (status, body, end) => {
  expect(readCallOutcome("program", answer(status, body))).toMatchObject(end)
})

test("an error under a success status says nothing about what was done, and keeps what the service said", () => {
  for (const api of ["program", "giftcard"] as const) {
    const end = readCallOutcome(api, answer(200, refusal("closed")))
    expect(end).toMatchObject({
      kind: "unknown",
      how: expect.stringContaining("“No.”"),
      said: { code: "closed", message: "No." },
    })
    expect(readCallOutcome(api, answer(200, { success: false }))).not.toHaveProperty("said")
  }
})

test("a documented code without a message is explained", () => {
  const end = readCallOutcome("giftcard", answer(409, { errorCode: "DUPLICATE_EXTERNAL_REF" }))
  expect(end).toMatchObject({ message: expect.not.stringContaining("no reason") })
})

test("gift-card refusals are read in each shape, and set-up troubles stop the job", () => {
  const card = (status: number, body: unknown) => readCallOutcome("giftcard", answer(status, body))
  expect(card(400, { error: { code: "DENOMINATION_NOT_PRODUCED" } })).toMatchObject({ kind: "refused" })
  expect(card(422, { code: "SETUP_INCOMPLETE" }).kind).toMatch(/systemic|refused/)
  expect(card(400, { code: "NO_CARD_SPECIFIED" })).toMatchObject({ kind: "systemic" })
  expect(card(422, { errors: [{ code: "SETUP_INCOMPLETE_CATALOGUE" }] })).toMatchObject({ kind: "systemic" })
  for (const status of [400, 422]) {
    const refused = { kind: "refused", code: String(status), message: "no code" }
    expect(card(status, { message: "no code" })).toEqual(refused)
    expect(card(status, { code: status, message: "no code" })).toEqual(refused)
  }
})

test.each([[{ message: "no code" }], [{ code: 409 }], [{ error: { code: "CONFLICT" } }], [[]], [undefined]])(
  "a 409 of the gift-card service without a documented code says so: %j",
  (body) => {
    const unexplained = { kind: "refused", code: "conflict_unexplained" }
    expect(readCallOutcome("giftcard", answer(409, body))).toMatchObject(unexplained)
    const page: UpstreamOutcome = { kind: "unreadable", status: 409, what: "a web page", ...times }
    expect(readCallOutcome("giftcard", page)).toMatchObject(unexplained)
    const duplicate = { errorCode: "DUPLICATE_EXTERNAL_REF" }
    expect(readCallOutcome("giftcard", answer(409, duplicate))).toMatchObject({
      code: "DUPLICATE_EXTERNAL_REF",
    })
  },
)
