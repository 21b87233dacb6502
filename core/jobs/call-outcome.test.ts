import { expect, test } from "vitest"
import type { UpstreamResult } from "../ports.ts"
import { readCallOutcome } from "./call-outcome.ts"

const times = { ms: 1200, endedAt: 0 }
const answer = (status: number, body: unknown): UpstreamResult => ({
  kind: "answer",
  status,
  body,
  ...times,
})
const refusal = (code: unknown) => ({ success: false, error: { code, message: "No." } })

test.each<[string, UpstreamResult, string]>([
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
  ["a web page", { kind: "unreadable", status: 200, what: "a web page", ...times }, "unknown"],
  ["a reset", { kind: "no_answer", what: "the connection was closed", ...times }, "unknown"],
])("%s", (_, outcome, kind) => {
  expect(readCallOutcome("program", outcome).kind).toBe(kind)
})

test.each<[number, unknown, object]>([
  [400, refusal(4001), { kind: "refused", code: "4001", message: "No." }],
  [409, { errorCode: "CLOSED", message: "No." }, { kind: "refused", code: "CLOSED", message: "No." }],
  [422, { errors: [{ code: "CLOSED", message: "No." }] }, { kind: "refused", code: "CLOSED" }],
  // A proxy may send this.
  [404, { code: 404, message: "no route" }, { kind: "unknown" }],
])("a %i of the program service is read in each shape: %j", (status, body, end) => {
  expect(readCallOutcome("program", answer(status, body))).toMatchObject(end)
})

test("an error with a success status is unknown and keeps the service's message", () => {
  for (const api of ["program", "giftcard"] as const) {
    const end = readCallOutcome(api, answer(200, refusal("closed")))
    expect(end).toMatchObject({
      kind: "unknown",
      how: expect.stringContaining("“No.”"),
      serviceError: { code: "closed", message: "No." },
    })
    expect(readCallOutcome(api, answer(200, { success: false }))).not.toHaveProperty("serviceError")
  }
})

test("a documented code without a message gets an explanation", () => {
  const end = readCallOutcome("giftcard", answer(409, { errorCode: "DUPLICATE_EXTERNAL_REF" }))
  expect(end).toMatchObject({ message: expect.not.stringContaining("no reason") })
})

test("gift-card refusals are read in each shape, and setup errors pause the job", () => {
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
  "a 409 of the gift-card service without a documented code is an unexplained conflict: %j",
  (body) => {
    const unexplained = { kind: "refused", code: "conflict_unexplained" }
    expect(readCallOutcome("giftcard", answer(409, body))).toMatchObject(unexplained)
    const page: UpstreamResult = { kind: "unreadable", status: 409, what: "a web page", ...times }
    expect(readCallOutcome("giftcard", page)).toMatchObject(unexplained)
    const duplicate = { errorCode: "DUPLICATE_EXTERNAL_REF" }
    expect(readCallOutcome("giftcard", answer(409, duplicate))).toMatchObject({
      code: "DUPLICATE_EXTERNAL_REF",
    })
  },
)

const page = (status: number): UpstreamResult => ({
  kind: "unreadable",
  status,
  what: "a web page",
  ...times,
})
const unknown = (how: string, responded: boolean, more: object = {}) => ({
  kind: "unknown",
  how: `${how}, after 1.2 s`,
  responded,
  ...more,
})
const notDone = (how: string, limited: boolean) => ({ kind: "not_done", limited, how })
const refusedWith = (code: string, message: string) => ({ kind: "refused", code, message })
const systemic = (status: number, code: string, message: RegExp) => ({
  kind: "systemic",
  status,
  code,
  message: expect.stringMatching(message) as unknown,
})
const success = (status: number, body: unknown, data?: unknown) => ({
  kind: "success",
  data,
  response: { status, body },
})
const done = { success: true, data: { id: 1 } }
const busy = "the service asked Laurel to wait (429)"
const closed = { serviceError: { code: "CLOSED", message: "Closed." } }
const closedUnder200 = { serviceError: { code: "200", message: "Closed." } }
const noTemplate = /no card template.*No card was issued.*Check the template/

test.each<[string, "program" | "giftcard", UpstreamResult, object]>([
  ["a 429 waits for the service", "program", answer(429, refusal("rate_limited")), notDone(busy, true)],
  [
    "nothing was sent",
    "program",
    { kind: "not_sent", what: "connection refused", ...times },
    notDone("not sent: connection refused", false),
  ],
  ["no response", "program", { kind: "no_answer", what: "timed out", ...times }, unknown("timed out", false)],
  ["a page with a success", "program", page(200), unknown("status 200 with a web page", false)],
  [
    "a page with a refusal",
    "program",
    page(400),
    refusedWith("400", "The service refused with 400 and gave no reason."),
  ],
  ["a page with a 409", "program", page(409), unknown("status 409 with a web page", false)],
  ["a success", "program", answer(201, done), success(201, done, { id: 1 })],
  ["a success without data", "program", answer(299, "ok"), success(299, "ok")],
  ["a success of null", "program", answer(200, null), success(200, null)],
  ["a redirect", "program", answer(300, {}), unknown("status 300", true)],
  ["an informational status", "program", answer(199, {}), unknown("status 199", true)],
  [
    "a success with a failure envelope and a reason",
    "program",
    answer(200, { success: false, error: { message: "Closed." } }),
    unknown("status 200 with the error “Closed.”", true, closedUnder200),
  ],
  [
    "a success with a failure envelope without a reason",
    "program",
    answer(200, { success: false }),
    unknown("status 200 with an error without a reason", true),
  ],
  [
    "a success with only an error",
    "giftcard",
    answer(200, { error: closed.serviceError }),
    unknown("status 200 with the error “Closed.”", true, closed),
  ],
  [
    "a refusal with a code but no message",
    "program",
    answer(422, { error: { code: "closed" } }),
    refusedWith("closed", "The service refused with 422 and gave no reason."),
  ],
  ["a 500", "program", answer(500, refusal("x")), unknown("status 500", false)],
  ["a 499", "program", answer(499, refusal("x")), unknown("status 499", true)],
  [
    "an unknown template id",
    "giftcard",
    answer(404, refusal("not_found")),
    systemic(404, "template_not_found", noTemplate),
  ],
  [
    "a 403 with an unknown code",
    "program",
    answer(403, { error: { code: "whatever" } }),
    systemic(403, "whatever", /\w\. \w/),
  ],
])("%s: exactly", (_, api, outcome, end) => {
  expect(readCallOutcome(api, outcome)).toEqual(end)
})

test.each([
  [{ error: null }, "success"],
  [{ error: false }, "success"],
  [{ error: undefined }, "success"],
  [{ error: "CLOSED" }, "unknown"],
  [{ error: { code: "CLOSED" }, data: { id: 1 } }, "success"],
  ["error", "success"],
  [undefined, "success"],
])("a body of %j under a success status: %s", (body, kind) => {
  expect(readCallOutcome("giftcard", answer(200, body)).kind).toBe(kind)
})

test("the service's message is stored without characters that a store cannot hold", () => {
  const refusal = (message: unknown, code: unknown = "closed") =>
    readCallOutcome("program", answer(422, { error: { code, message } }))
  expect(refusal("a\u0000b\ud800")).toMatchObject({ message: "a\uFFFDb\uFFFD" })
  expect(refusal("\u0000\u0000")).toMatchObject({ message: "\uFFFD\uFFFD" })
  expect(refusal("x".repeat(501))).toMatchObject({ message: "x".repeat(500) })
  expect(refusal("No.", "c".repeat(501))).toMatchObject({ code: "c".repeat(500) })
})

test("a 422 that only repeats its status is a refusal; a 404 or 409 is not, because it may come from a proxy", () => {
  const own = (status: number) => readCallOutcome("program", answer(status, { code: String(status) })).kind
  expect([400, 404, 409, 422].map(own)).toEqual(["refused", "unknown", "unknown", "refused"])
})

test.each([405, 418, 499])(
  "an undocumented %i about a gift card is looked up, and not sent again",
  (status) => {
    const reason = `The service refused with ${status} and gave no reason.`
    const end = (api: "program" | "giftcard", body: unknown) => readCallOutcome(api, answer(status, body))
    // A code that repeats the status may come from a proxy.
    expect(end("giftcard", refusal(status))).toMatchObject({
      sendOnce: true,
      serviceError: { code: String(status), message: "No." },
    })
    expect(end("giftcard", {})).toMatchObject({
      kind: "unknown",
      responded: true,
      sendOnce: true,
      serviceError: { code: String(status), message: reason },
    })
    expect(end("program", {})).not.toHaveProperty("sendOnce")
  },
)

test.each([302, 408, 500, 503])("a %i about a gift card may be sent again", (status) => {
  const end = readCallOutcome("giftcard", answer(status, {}))
  expect(end.kind).toBe("unknown")
  expect(end).not.toHaveProperty("sendOnce")
})
