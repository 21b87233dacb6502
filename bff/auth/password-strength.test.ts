import { describe, expect, test, vi } from "vitest"
import { weakPassword } from "./password-strength.ts"

const priya = { email: "priya.nair@program.example", name: "Priya Nair" }

describe("password strength", () => {
  test.each([
    ["password123", "a common password"],
    ["P@ssw0rd2026", "a common password"],
    ["summer-winter-26", "made of common words"],
    ["dragonmonkey99", "made of common words"],
    ["qwertyuiop12", "a common password"],
    ["poiuytrewq1", "a common password"],
    ["1q2w3e4r5t", "a common password"],
    ["aaaaaaaaaaaa", "repeats"],
    ["abcabcabcabc", "repeats"],
    ["19841984198419", "repeats"],
    ["abcdefghijkl", "a sequence"],
    ["9876543210987", "a sequence"],
  ])("%s is refused with its reason and what to do", async (password, reason) => {
    const message = await weakPassword(password, priya)
    expect(message).toContain(reason)
    expect(message).toMatch(/Choose several words that do not usually go together\.$/)
  })

  test.each([
    "laurel-password",
    "LaurelLaurel",
    "laurel-desk-1",
    "Laurel.Desk.2026!",
    "IncentiveProgram1",
    "laurel-points-24",
    "CoolabahTrade26",
    "my-coolabah-desk-7",
    "lou-lou-2026-lou",
    "lou@laurel-2026",
  ])(
    "%s is refused: names of the person, the program and the product count for nothing",
    async (password) => {
      const owner = { email: "lou@program.example", name: "Lou Li", program: "Coolabah Trade" }
      expect(await weakPassword(password, owner)).toMatch(/your name, your e-mail address/)
    },
  )

  test("a name of the product with digits for letters is refused", async () => {
    expect(await weakPassword("l4ur3l-d3sk-1")).toMatch(/easy to guess/)
  })

  test.each(["priya.nair-rules", "Priya loves tea"])("%s is refused for Priya alone", async (password) => {
    expect(await weakPassword(password, priya)).toMatch(/your name/)
  })

  test.each([
    "a-long-enough-password",
    "three teal umbrellas",
    "vK9-tram-ofenrohr",
    "zx8#Lq!27bnWe",
    "xK9w2Qpz7m",
    "an oboe under the fig tree",
    "laurel-vK9-ofenrohr",
    "Пятьдесят кошек",
  ])("%s may be used", async (password) => {
    expect(await weakPassword(password, priya)).toBeUndefined()
  })

  test("loads its dictionaries again after they could not be loaded", async () => {
    vi.resetModules()
    vi.doMock("@zxcvbn-ts/language-en", () => {
      throw new Error("unreadable")
    })
    const fresh = await import("./password-strength.ts")
    await expect(fresh.weakPassword("password123")).rejects.toThrow(/error when mocking/)
    vi.doUnmock("@zxcvbn-ts/language-en")
    expect(await fresh.weakPassword("password123")).toContain("a common password")
  })
})
