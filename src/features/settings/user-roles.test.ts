import * as fc from "fast-check"
import { expect, test } from "vitest"
import { can, grantOf, type Permission, permissions, roles } from "../../../contract/roles.ts"
import type { AppUser } from "../../../contract/users.ts"
import { disabledReasons, roleChange } from "./users-page.tsx"

const role = fc.constantFrom(...roles)
const all = Object.keys(permissions) as Permission[]

test("an unchanged role changes nothing", () => {
  for (const each of roles) expect(roleChange(each, each)).toEqual({ gains: [], loses: [] })
})

test("role change names every permission with a different reach once, and no other", () => {
  fc.assert(
    fc.property(role, role, (from, to) => {
      const { gains, loses } = roleChange(from, to)
      const named = [...gains, ...loses]
      for (const permission of all) {
        const differs = grantOf(from, permission) !== grantOf(to, permission)
        const { label } = permissions[permission]
        const mentions = named.filter((words) => words === label || words.startsWith(`${label} (`))
        expect(mentions.length, `${permission} from ${from} to ${to}`).toBe(differs ? 1 : 0)
      }
    }),
  )
})

test("role change gives in one direction what it takes in the other", () => {
  fc.assert(
    fc.property(role, role, (from, to) => {
      expect(roleChange(from, to).gains.length).toBe(roleChange(to, from).loses.length)
    }),
  )
})

test("an administrator made viewer loses permissions, and partly keeps some", () => {
  const { gains, loses } = roleChange("admin", "viewer")
  expect(gains).toEqual([])
  for (const permission of all.filter((each) => !can("viewer", each))) {
    expect(loses).toContain(permissions[permission].label)
  }
  expect(loses).toContain("View members (then: partly)")
})

function user(id: string, changes: Partial<AppUser> = {}): AppUser {
  return {
    id,
    name: id,
    email: `${id}@laurel.test`,
    role: "admin",
    disabled: false,
    has_password: true,
    created_at: "2026-01-01T00:00:00Z",
    last_seen_at: null,
    ...changes,
  }
}

test("own access cannot be disabled or demoted, however many administrators there are", () => {
  const me = user("me")
  const { disable, demote } = disabledReasons(me, "me", [me, user("other")])
  expect(disable).toMatch(/yourself/)
  expect(demote).toMatch(/own role/)
})

test("the last administrator who can sign in cannot be disabled or demoted", () => {
  const last = user("last")
  const others = [
    user("disabled", { disabled: true }),
    user("invited", { has_password: false }),
    user("manager", { role: "manager" }),
  ]
  expect(disabledReasons(last, "somebody", [last, ...others]).disable).toMatch(/last administrator/)
  expect(disabledReasons(last, "somebody", [last, ...others]).demote).toMatch(/last administrator/)
})

test("one of two administrators can be disabled and demoted", () => {
  const one = user("one")
  expect(disabledReasons(one, "two", [one, user("two")])).toEqual({ disable: undefined, demote: undefined })
})

test("an administrator without a password does not count as one", () => {
  const invited = user("invited", { has_password: false })
  expect(disabledReasons(invited, "me", [invited, user("me")])).toEqual({
    disable: undefined,
    demote: undefined,
  })
})
