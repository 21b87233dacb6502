import { afterEach, describe, expect, it } from "vitest"
import * as z from "zod/mini"
import { memberListQuery, updateMemberBody } from "../contract/program/member.ts"
import { auditQuery } from "../contract/audit.ts"
import { readBody, readQuery } from "./validation.ts"
import { AppError } from "./errors.ts"

function problemsOf(work: () => unknown): Record<string, string> {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) {
      return Object.fromEntries((error.details?.fields ?? []).map(({ field, message }) => [field, message]))
    }
    throw error
  }
  throw new Error("Nothing was refused.")
}

/** The texts that a server process has: the sign-in library brings in the whole validation library, which sets them. */
const withLibraryTexts = () => z.config(z.locales.en())

afterEach(() => {
  z.config({ localeError: undefined })
})

describe.each([
  ["the library's own texts", withLibraryTexts],
  ["no texts", () => undefined],
])("with %s", (_name, prepare) => {
  it.each([
    ["page=0", { page: "At least 1." }],
    ["page=abc", { page: "A whole number." }],
    ["per_page=101", { per_page: "At most 100." }],
    ["status=gone", { status: "One of: active, inactive, pending." }],
    [`search=${"x".repeat(201)}`, { search: "At most 200 characters." }],
    ["nope=1", { nope: "Unknown field." }],
  ])("an address with %s is refused in Laurel's words", (query, problems) => {
    prepare()
    expect(problemsOf(() => readQuery(query, memberListQuery))).toEqual(problems)
  })

  it.each([
    [{ company: 5 }, { company: "Text." }],
    [{ status: "pending" }, { status: "One of: active, inactive." }],
    [[], { body: "An object with fields." }],
    [undefined, { body: "This is missing." }],
    [{}, { body: "Change at least one field." }],
  ])("a body of %j is refused in Laurel's words", (body, problems) => {
    prepare()
    expect(problemsOf(() => readBody(body, updateMemberBody))).toEqual(problems)
  })

  it.each(['{"__proto__":{"company":"x"}}', '{"metadata":{"__proto__":{"a":1}}}'])(
    "%s is refused and not half kept",
    (text) => {
      prepare()
      expect(problemsOf(() => readBody(JSON.parse(text), updateMemberBody))).toEqual({
        ["__proto__"]: "This name cannot be used.",
      })
    },
  )

  it("a time that is none is refused with an example", () => {
    prepare()
    expect(problemsOf(() => readQuery("from=yesterday", auditQuery))).toEqual({
      from: "A time such as 2026-03-31T09:00:00Z.",
    })
  })
})
