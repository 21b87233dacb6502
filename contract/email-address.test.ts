import { describe, expect, it } from "vitest"
import { existingEmail, isEmail, isSameEmail, newEmail } from "./email-address.ts"
import { memberReader } from "./program/member.ts"

const usual = [
  "r&d@site.example",
  "o'brien@site.example",
  "sales/nsw@site.example",
  "ivan@xn--e1afmkfd.xn--p1ai",
  "jo@müller.example",
  "用户@例え.example",
  "ann+tag@site.example",
  "ANN.CAPS@SITE.EXAMPLE",
  "a.b_c-d=e!f#g$h%i*j?k^l`m{n|o}p~q@sub.site.example",
]
const odd = ["first.last.@site.example", "a..b@site.example", '"a b"@site.example', "jo@localhost", "x@1.2"]
const none = [
  "Jane Doe <jane@site.example>",
  "taro＠site.example",
  "a@site.example, b@site.example",
  "@site.example",
  "jane@",
  "jane",
  "",
]

describe("an e-mail address", () => {
  it.each(usual)("%s is accepted for a new member and for a search", (text) => {
    expect([newEmail.safeParse(text).success, existingEmail.safeParse(text).success]).toEqual([true, true])
  })

  it.each(odd)("%s is refused for a new member but accepted for a search", (text) => {
    expect([newEmail.safeParse(text).success, existingEmail.safeParse(text).success]).toEqual([false, true])
  })

  it.each(none)("%j is none", (text) => {
    expect([newEmail.safeParse(text).success, isEmail(text)]).toEqual([false, false])
  })

  it("of a new member has at most 64 characters before the @ and 254 in all", () => {
    const local = "a".repeat(64)
    expect(newEmail.safeParse(`${local}@site.example`).success).toBe(true)
    expect(newEmail.safeParse(`${local}a@site.example`).success).toBe(false)
    expect(newEmail.safeParse(`a@${"b".repeat(63)}.${"c.".repeat(100)}example`).success).toBe(false)
  })

  it("is compared ignoring case and invisible characters; an empty one equals none", () => {
    expect(isSameEmail(" R&D@site.example", "r&d@SITE.example ")).toBe(true)
    expect(isSameEmail("jo@mu\u0308ller.example", "jo@m\u00FCller.example")).toBe(true)
    expect(isSameEmail("a@site.example", "b@site.example")).toBe(false)
    expect([isSameEmail("", ""), isSameEmail("", undefined), isSameEmail(" ", null)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it("that RFC 5321 allows is no difference from the document in a member's record", () => {
    const member = {
      id: "m",
      email: "sales/nsw@site.example",
      first_name: "Sal",
      last_name: "Nolan",
      points_balance: 0,
      status: "active",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-01T00:00:00Z",
    }
    expect(memberReader.read(member)).toMatchObject({ ok: true, drift: [] })
    expect(memberReader.read({ ...member, email: "a..b@site.example" })).toMatchObject({
      ok: true,
      drift: [{ field: "email" }],
    })
  })
})
