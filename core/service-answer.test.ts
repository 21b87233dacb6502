import { expect, it } from "vitest"
import { parseUpstreamResponse, retryAfterSeconds } from "./gateway/upstream-response.ts"

it("reads JSON, with or without a byte order mark", () => {
  expect(parseUpstreamResponse(200, '\uFEFF{"data":1}')).toEqual({
    kind: "answer",
    status: 200,
    body: { data: 1 },
  })
})

it("reads an error's body as it reads any other, so that its code is known", () => {
  expect(parseUpstreamResponse(404, '{"error":{"code":"not_found"}}')).toMatchObject({
    kind: "answer",
    status: 404,
  })
  expect(parseUpstreamResponse(404, "<html>Not here</html>")).toMatchObject({
    kind: "unreadable",
    what: "a web page",
  })
})

it("understands both forms of Retry-After and nothing else", () => {
  const now = Date.UTC(2026, 10, 20)
  expect(retryAfterSeconds("30", now)).toBe(30)
  expect(retryAfterSeconds("Fri, 20 Nov 2026 00:00:10 GMT", now)).toBe(10)
  expect(retryAfterSeconds("Thu, 19 Nov 2026 00:00:10 GMT", now)).toBe(0)
  expect([undefined, "soon", "-1", ""].map((text) => retryAfterSeconds(text, now))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
