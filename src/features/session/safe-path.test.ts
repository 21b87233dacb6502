import * as fc from "fast-check"
import { expect, it } from "vitest"
import { safePath } from "./safe-path.ts"

it.each([
  ["/members?status=active#top", "/members?status=active#top"],
  [undefined, "/"],
  ["members", "/"],
  ["https://evil.example/members", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["/x/..//evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/sign-in?redirect=/sign-in", "/"],
])("safe path of %s is %s", (wanted, path) => {
  expect(safePath(wanted)).toBe(path)
})

it("safe path never leaves this app", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string(),
        fc.string().map((text) => `/${text}`),
      ),
      (wanted) => {
        expect(new URL(safePath(wanted), "https://here.example").host).toBe("here.example")
      },
    ),
  )
})
