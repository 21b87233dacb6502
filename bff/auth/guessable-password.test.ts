import { describe, expect, test } from "vitest"
import { guessablePassword } from "./guessable-password.ts"

describe("a password", () => {
  const owner = { email: "priya.nair@program.example", name: "Priya Nair" }
  test.each([
    ["password123"],
    ["P@ssw0rd2026"],
    ["!!Welcome2026!!"],
    ["summer-winter-26"],
    ["dragonmonkey99"],
    ["mypassword1"],
    ["laurel-password"],
    ["LaurelLaurel"],
    ["qwertyuiop"],
    ["poiuytrewq1"],
    ["1q2w3e4r5t"],
    ["correcthorsebatterystaple"],
    ["Correct Horse Battery Staple"],
    ["aaaaaaaaaaaa"],
    ["abcabcabcabc"],
    ["abcdefghijkl"],
    ["9876543210987"],
    ["19841984198419"],
    ["priya.nair-rules"],
    ["Priya loves tea"],
  ])("%s is refused", (password) => {
    expect(guessablePassword(password, owner)).toMatch(/Choose another\.$/)
  })

  test.each([
    ["laurel-desk-1"],
    ["Laurel.Desk.2026!"],
    ["l4ur3l-d3sk-1"],
    ["IncentiveProgram1"],
    ["laurel-points-24"],
    ["CoolabahTrade26"],
    ["my-coolabah-desk-7"],
    ["lou-lou-2026-lou"],
    ["lou@laurel-2026"],
  ])("%s consists of the names of the product, the program or the person: refused", (password) => {
    const named = { email: "lou@program.example", name: "Lou Li", program: "Coolabah Trade" }
    expect(guessablePassword(password, named)).toMatch(/Laurel, of the program or of yourself/)
  })

  test.each([
    "a-long-enough-password",
    "three teal umbrellas",
    "vK9-tram-ofenrohr",
    "zx8#Lq!27bnWe",
    "an oboe under the fig tree",
    "laurel-vK9-ofenrohr",
    "Пятьдесят кошек",
  ])("%s may be used", (password) => {
    expect(guessablePassword(password, owner)).toBeUndefined()
  })
})
