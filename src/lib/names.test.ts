import { expect, it } from "vitest"
import { fullName, initials } from "./names.ts"

it("a person is called by name, else by e-mail, else by id", () => {
  expect(fullName({ first_name: "Ana", last_name: " Silva " })).toBe("Ana Silva")
  expect(fullName({ first_name: null, last_name: "", email: "ana@x.au", id: "mem_1" })).toBe("ana@x.au")
  expect(fullName({ id: "mem_1" })).toBe("mem_1")
})

it.each([
  ["Ana Silva", "AS"],
  ["Mary Jane van der Berg", "MB"],
  ["Priya", "P"],
  ["ana.silva@x.com.au", "A"],
  ["Zoë Ångström", "ZÅ"],
  ["👩‍🔧 Tradie", "👩‍🔧T"],
  ["  ", "?"],
])("the initials of %s", (name, letters) => {
  expect(initials(name)).toBe(letters)
})
