import { describe, expect, it } from "vitest"
import { readFailure, readServiceError, serviceRefusal } from "./upstream-errors.ts"

it("keeps what the service said, as text and not at any length", () => {
  const message = `<b>No</b> ${"x".repeat(2000)}`
  const failure = serviceRefusal("program", 400, { error: { code: "invalid_request", message } })
  expect(failure).toMatchObject({
    status: 400,
    code: "refused_by_service",
    details: { api: "program", upstream_status: 400, upstream_code: "invalid_request" },
  })
  expect(failure.message).toBe(message.slice(0, 500))
})

it.each([401, 403])("answers a refused key (%i) as 502: the person's own session is fine", (status) => {
  expect(serviceRefusal("program", status, {})).toMatchObject({ status: 502, code: "refused_by_service" })
})

const answered = (status: number, body: unknown) =>
  ({ kind: "answer", status, body, ms: 1, endedAt: 0 }) as const

it.each([
  [{ error: { code: "AMBIGUOUS_EXTERNAL_REF" } }],
  [{ error: "AMBIGUOUS_EXTERNAL_REF" }],
  [{ errorCode: "AMBIGUOUS_EXTERNAL_REF" }],
  [{ errors: [{ code: "AMBIGUOUS_EXTERNAL_REF" }] }],
  [{ code: 409 }],
  [{ message: "no code" }],
  [undefined],
])("a look-up of a card answered with 409 is ambiguous, whether or not its code can be read: %j", (body) => {
  expect(readFailure("giftcard", answered(409, body))).toMatchObject({
    status: 409,
    details: { upstream_code: "AMBIGUOUS_EXTERNAL_REF" },
  })
})

it("a look-up of a card answered with a page and 409 is ambiguous, too", () => {
  const page = { kind: "unreadable", status: 409, what: "a web page", ms: 1, endedAt: 0 } as const
  expect(readFailure("giftcard", page)).toMatchObject({
    details: { upstream_code: "AMBIGUOUS_EXTERNAL_REF" },
  })
  expect(readFailure("program", page)).toMatchObject({ code: "unreadable_answer" })
})

it.each([[{}], [{ code: 400 }], [{ errorCode: "NO_SUCH_CARD" }]])(
  "takes a refused look-up without a documented code for a card that is not there: %j",
  (body) => {
    expect(readFailure("giftcard", answered(400, body))).toMatchObject({ status: 404, code: "not_found" })
  },
)

it("takes no other refusal for that", () => {
  const invalid = answered(400, { errorCode: "VALIDATION_ERROR" })
  expect(readFailure("giftcard", invalid)).toMatchObject({ status: 400, code: "refused_by_service" })
  expect(readFailure("program", answered(400, {}))).toMatchObject({ status: 400, code: "refused_by_service" })
  expect(serviceRefusal("giftcard", 400, {})).toMatchObject({ status: 400, code: "refused_by_service" })
})

it.each([400, 422])("a %i is a refusal whatever its body is", (status) => {
  for (const api of ["program", "giftcard"] as const) {
    const page = { kind: "unreadable", status, what: "a web page", ms: 1, endedAt: 0 } as const
    expect(readFailure(api, page)).toMatchObject({ status, code: "refused_by_service" })
  }
})

it.each([
  [{ success: false, error: { code: 4001, message: "Not today" } }, "4001"],
  [{ errorCode: "CLOSED", message: "Not today" }, "CLOSED"],
  [{ errors: [{ code: "CLOSED", message: "Not today" }] }, "CLOSED"],
])("reads a refusal of the program service in each shape: %j", (body, code) => {
  expect(serviceRefusal("program", 422, body)).toMatchObject({
    message: "Not today",
    details: { upstream_code: code },
  })
})

it.each([405, 408, 418])("answers a %i, which is between Laurel and the service, as 502", (status) => {
  expect(serviceRefusal("program", status, {})).toMatchObject({ status: 502, code: "refused_by_service" })
})

describe("gift-card error bodies", () => {
  it.each([
    [{ error: { code: "INSUFFICIENT_FUND", message: "Fund too low" } }, "INSUFFICIENT_FUND", "Fund too low"],
    [{ code: "INSUFFICIENT_FUND", message: "Fund too low" }, "INSUFFICIENT_FUND", "Fund too low"],
    [{ error: "INSUFFICIENT_FUND" }, "INSUFFICIENT_FUND", undefined],
    ["INSUFFICIENT_FUND", "INSUFFICIENT_FUND", undefined],
    [{ error: "The fund is too low" }, undefined, "The fund is too low"],
    [{ errorCode: "INSUFFICIENT_FUND", message: "Fund too low" }, "INSUFFICIENT_FUND", "Fund too low"],
    [
      { errors: [{ code: "INSUFFICIENT_FUND", message: "Fund too low" }] },
      "INSUFFICIENT_FUND",
      "Fund too low",
    ],
    [{ error: { errors: [{ errorCode: "INSUFFICIENT_FUND" }] } }, "INSUFFICIENT_FUND", undefined],
    [{ errors: ["INSUFFICIENT_FUND"] }, "INSUFFICIENT_FUND", undefined],
    [{ code: 40201, message: "Fund too low" }, "40201", "Fund too low"],
    [{ error: { code: 402 } }, "402", undefined],
    [{ code: 402, errors: [{ code: "INSUFFICIENT_FUND" }] }, "INSUFFICIENT_FUND", undefined],
    [{ error: "Payment required", errorCode: "INSUFFICIENT_FUND" }, "INSUFFICIENT_FUND", "Payment required"],
    [{ message: "Fund too low" }, undefined, "Fund too low"],
    [{ code: null, error: { code: "" } }, undefined, undefined],
    [{}, undefined, undefined],
    [null, undefined, undefined],
    [[], undefined, undefined],
  ])("%j", (body, code, message) => {
    expect(readServiceError(body)).toEqual({ code, message })
  })
})
