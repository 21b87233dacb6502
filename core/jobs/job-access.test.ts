import { describe, expect, it } from "vitest"
import type { JobKind } from "../../contract/job-kinds.ts"
import type { Role } from "../../contract/roles.ts"
import { createFakeClock } from "../../tests/support/fake-clock.ts"
import { madeUpJob, makerOf } from "../../tests/support/made-up-jobs.ts"
import { AppError } from "../errors.ts"
import type { JobRecord } from "./job-store.ts"
import { createMemoryStore } from "../../tests/support/memory-store.ts"
import { jobScope, requireControl, requireKind, requireSomeKind } from "./job-access.ts"

const person = (role: Role, name = "bo") => ({ id: `usr_${name}`, name, email: `${name}@laurel.test`, role })

async function jobOf(name: string): Promise<JobRecord> {
  const { jobs } = createMemoryStore(createFakeClock())
  const made = await jobs.create(madeUpJob({ createdBy: makerOf(name) }), [])
  if (typeof made === "string") throw new Error(made)
  return made.job
}

function verdict(act: () => void): number | "yes" {
  try {
    act()
    return "yes"
  } catch (error) {
    if (error instanceof AppError) return error.status
    throw error
  }
}

describe("steering a job", () => {
  it.each([
    ["admin", "yes", "yes", "yes"],
    ["manager", "yes", 422, "yes"],
    ["fulfilment", "yes", 403, 403],
    ["viewer", 403, 403, 403],
  ] as const)("%s: own %s, another's %s, with a reason %s", async (role, own, other, reasoned) => {
    const [mine, theirs] = [await jobOf("bo"), await jobOf("ana")]
    expect(verdict(() => requireControl(person(role), mine, undefined))).toBe(own)
    expect(verdict(() => requireControl(person(role), theirs, ""))).toBe(other)
    expect(verdict(() => requireControl(person(role), theirs, "Ana is away"))).toBe(reasoned)
  })

  it("is not open to a manager where no reason can be given", async () => {
    const theirs = await jobOf("ana")
    expect(verdict(() => requireControl(person("manager"), theirs, null))).toBe(403)
    expect(verdict(() => requireControl(person("admin"), theirs, null))).toBe("yes")
  })
})

describe("a kind", () => {
  it.each([
    ["award", "yes", "yes", 403, 403],
    ["deduct", "yes", "yes", 403, 403],
    ["member-create", "yes", "yes", 403, 403],
    ["member-update", "yes", "yes", 403, 403],
    ["redeem", "yes", "yes", 403, 403],
    ["order-update", "yes", "yes", "yes", 403],
  ] satisfies [JobKind, ...unknown[]][])("%s needs what its single effect needs", (kind, ...verdicts) => {
    const roles: Role[] = ["admin", "manager", "fulfilment", "viewer"]
    expect(roles.map((role) => verdict(() => requireKind(person(role), kind)))).toEqual(verdicts)
  })

  it("is required to make a job at all: viewers make none", () => {
    const verdicts = (["admin", "manager", "fulfilment", "viewer"] as const).map((role) =>
      verdict(() => requireSomeKind(person(role))),
    )
    expect(verdicts).toEqual(["yes", "yes", "yes", 403])
  })
})

describe("the scope", () => {
  it("is everything but for fulfilment: own jobs and those of the packing bench", () => {
    expect(jobScope(person("viewer"))).toBeUndefined()
    expect(jobScope(person("fulfilment"))).toEqual({ maker: "usr_bo", kinds: ["order-update"] })
  })
})
