import { expect, test } from "vitest"
import type { DeskUser } from "../../../../contract/users.ts"
import { hindrances } from "./user-rules.ts"

function user(id: string, changes: Partial<DeskUser> = {}): DeskUser {
  return {
    id,
    name: id,
    email: `${id}@desk.test`,
    role: "admin",
    disabled: false,
    has_password: true,
    created_at: "2026-01-01T00:00:00Z",
    last_seen_at: null,
    ...changes,
  }
}

test("nobody disables or demotes themselves, however many administrators there are", () => {
  const me = user("me")
  const { disable, demote } = hindrances(me, "me", [me, user("other")])
  expect(disable).toMatch(/yourself/)
  expect(demote).toMatch(/own role/)
})

test("the last administrator who can sign in stays", () => {
  const last = user("last")
  const others = [
    user("disabled", { disabled: true }),
    user("invited", { has_password: false }),
    user("manager", { role: "manager" }),
  ]
  expect(hindrances(last, "somebody", [last, ...others]).disable).toMatch(/last administrator/)
  expect(hindrances(last, "somebody", [last, ...others]).demote).toMatch(/last administrator/)
})

test("one of two administrators can be disabled and demoted", () => {
  const one = user("one")
  expect(hindrances(one, "two", [one, user("two")])).toEqual({ disable: undefined, demote: undefined })
})

test("an administrator who never set a password holds nothing up", () => {
  const invited = user("invited", { has_password: false })
  expect(hindrances(invited, "me", [invited, user("me")])).toEqual({ disable: undefined, demote: undefined })
})
