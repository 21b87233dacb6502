import { beforeAll, describe, expect, it } from "vitest"
import { appErrorCodes } from "../../contract/response.ts"
import { catalogue } from "../../contract/error-catalogue.ts"
import { ApiError, explain, fetchCatalogue, Offline, UnreadableResponse } from "./errors.ts"

beforeAll(fetchCatalogue)

const refused = (init: Partial<ConstructorParameters<typeof ApiError>[0]>) =>
  new ApiError({
    status: 400,
    code: "bad_request",
    message: "The server's words.",
    requestId: "r-9f21",
    ...init,
  })

describe("explain", () => {
  it.each(appErrorCodes)("has a title and a sentence for %s", (code) => {
    const message = "The server's words. Nothing was done."
    const { title, body } = explain(refused({ code, message }))
    expect(title).not.toBe("")
    expect(body).not.toBe("")
  })

  it.each(catalogue.map((entry) => [entry.api, entry.status, entry.code, entry] as const))(
    "explains %s %i %s by the catalogue",
    (api, status, code, entry) => {
      const details = { api, upstream_status: status, upstream_code: code }
      const words = explain(refused({ status: 502, code: "upstream_unreachable", details }))
      expect(words.title).toBe(entry.title)
      expect(words.next).toBe(entry.next)
    },
  )

  it("shows the service's message when it refused this request", () => {
    const details = { api: "program", upstream_status: 400, upstream_code: "invalid_request" } as const
    expect(
      explain(refused({ code: "refused_by_service", message: "Phone is too long.", details })).body,
    ).toBe("Phone is too long.")
    expect(explain(refused({ code: "refused_by_service", message: "Try later ", details })).body).toBe(
      "Try later.",
    )
  })

  it("ends with status, code and request id, as far as they exist", () => {
    expect(explain(refused({ status: 404, code: "not_found" })).detail).toBe("404 not_found, request r-9f21")
    expect(explain(new ApiError({ status: 404, code: "not_found", message: "" })).detail).toBe(
      "404 not_found",
    )
  })

  it("shows the server's message for an undocumented code", () => {
    expect(explain(refused({ code: "constructor" }))).toMatchObject({
      title: "Request refused",
      body: "The server's words.",
    })
  })

  it.each(["conflict", "not_synced"] as const)(
    "says what happened in the title of %s: the first sentence of the server's message",
    (code) => {
      const message = "October 2026 isn’t over yet. Nothing was closed. Close it from 1 November on."
      expect(explain(refused({ status: 409, code, message }))).toMatchObject({
        title: "October 2026 isn’t over yet",
        body: "Nothing was closed. Close it from 1 November on.",
      })
    },
  )

  it("calls an unknown outcome a warning and a refusal a danger", () => {
    expect(explain(refused({ code: "outcome_unknown" })).tone).toBe("warning")
    expect(explain(refused({ code: "forbidden" })).tone).toBe("danger")
    expect(explain(new Offline()).tone).toBe("warning")
  })

  it("distinguishes an unreadable response from a fault of the page", () => {
    expect(explain(new UnreadableResponse("not JSON", 200, "r-1")).detail).toContain("request r-1")
    expect(explain(new TypeError("x is undefined")).title).toBe("Something went wrong on this page")
  })
})
