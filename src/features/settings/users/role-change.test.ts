import * as fc from "fast-check"
import { expect, test } from "vitest"
import { can, grantOf, permissions, roles, type Permission } from "../../../../contract/roles.ts"
import { roleChange } from "./role-change.ts"

const role = fc.constantFrom(...roles)
const all = Object.keys(permissions) as Permission[]

test("keeping a role changes nothing", () => {
  for (const each of roles) expect(roleChange(each, each)).toEqual({ gains: [], loses: [] })
})

test("every permission whose reach differs is named once, and no other", () => {
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

test("what one direction gives the other takes", () => {
  fc.assert(
    fc.property(role, role, (from, to) => {
      expect(roleChange(from, to).gains.length).toBe(roleChange(to, from).loses.length)
    }),
  )
})

test("an administrator made viewer loses what a viewer cannot do, and hears what stays in part", () => {
  const { gains, loses } = roleChange("admin", "viewer")
  expect(gains).toEqual([])
  for (const permission of all.filter((each) => !can("viewer", each))) {
    expect(loses).toContain(permissions[permission].label)
  }
  expect(loses).toContain("View members (then: partly)")
})
