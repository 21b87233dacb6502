import { expect, it } from "vitest"
import { serviceRefusal } from "./service-refusal.ts"

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

it.each([
  [{ error: { code: "AMBIGUOUS_EXTERNAL_REF" } }],
  [{ code: "AMBIGUOUS_EXTERNAL_REF" }],
  [{ error: "AMBIGUOUS_EXTERNAL_REF" }],
])("reads the code of a gift-card error in whichever shape it comes: %j", (body) => {
  expect(serviceRefusal("giftcard", 409, body)).toMatchObject({
    status: 409,
    details: { upstream_code: "AMBIGUOUS_EXTERNAL_REF" },
  })
})

it("takes a gift-card refusal without a code for a card that is not there", () => {
  expect(serviceRefusal("giftcard", 400, {})).toMatchObject({ status: 404, code: "not_found" })
  expect(serviceRefusal("program", 400, {})).toMatchObject({ status: 400, code: "refused_by_service" })
})

it.each([405, 408, 418])("answers a %i, which is between the desk and the service, as 502", (status) => {
  expect(serviceRefusal("program", status, {})).toMatchObject({ status: 502, code: "refused_by_service" })
})
