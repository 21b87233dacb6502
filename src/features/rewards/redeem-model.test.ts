import { describe, expect, it } from "vitest"
import { countriesFor, countriesIn } from "./address-fields.tsx"
import { redeemChecks, redeemLabels } from "./redeem-model.ts"
import { addressNeed, firstValues, redeemSchema } from "./redeem-model.ts"

const typed = { ...firstValues("Ana Silva"), line1: "4 Aerodrome Road", city: "Maroochydore" }
const complete = { ...typed, postal_code: "0455", country: "AU" }

describe("request body", () => {
  it("has no address for a digital reward, whatever the fields contain", () => {
    expect(redeemSchema("none").parse({ ...complete, quantity: "3" })).toEqual({ quantity: 3 })
  })

  it("has the address for a physical reward, without empty fields", () => {
    expect(redeemSchema("required").parse(complete)).toEqual({
      quantity: 1,
      shipping_address: {
        name: "Ana Silva",
        line1: "4 Aerodrome Road",
        city: "Maroochydore",
        postal_code: "0455",
        country: "AU",
      },
    })
  })

  it("is refused with each missing field named", () => {
    const read = redeemSchema("required").safeParse(typed)
    expect(read.error?.issues.map(({ path }) => path.join("."))).toEqual(["postal_code", "country"])
  })

  it("may have no address for an unknown type, but not an incomplete one", () => {
    expect(redeemSchema("optional").parse(firstValues("Ana Silva"))).toEqual({ quantity: 1 })
    expect(redeemSchema("optional").safeParse(typed).success).toBe(false)
  })

  it.each([
    ["45580", "AU"],
    ["4558", "US"],
  ])("is refused with %s as a postcode of %s, at its field", (postal_code, country) => {
    const read = redeemSchema("required").safeParse({ ...complete, postal_code, country })
    expect(read.error?.issues.map(({ path }) => path.join("."))).toEqual(["postal_code"])
  })

  it.each([
    ["4558", "AU"],
    ["1012 ab", "NL"],
    ["ec1a 1bb", "GB"],
    // This country's postcode format is unknown: any text is accepted.
    ["anything", "AO"],
  ])("is accepted with %s as a postcode of %s", (postal_code, country) => {
    expect(redeemSchema("required").safeParse({ ...complete, postal_code, country }).success).toBe(true)
  })

  it.each(["1", "99", "100", "12345", "1000001"])("accepts quantity %s", (quantity) => {
    expect(redeemSchema("none").parse({ ...complete, quantity })).toEqual({ quantity: Number(quantity) })
  })

  it.each(["", "0", "9007199254740993", "1.5", "-1", "1e1"])("refuses quantity %o", (quantity) => {
    const read = redeemSchema("none").safeParse({ ...complete, quantity })
    expect(read.error?.issues[0]?.path).toEqual(["quantity"])
  })

  it("depends on the type for the address, case-insensitively", () => {
    expect([
      addressNeed("Physical"),
      addressNeed("digital"),
      addressNeed("voucher"),
      addressNeed(null),
    ]).toEqual(["required", "none", "optional", "optional"])
  })
})

describe("checks before sending", () => {
  const fine = {
    member: { status: "active" },
    reward: { status: "active", points_cost: 100, stock: 5 },
    balance: 250,
    quantity: 2,
  } as const
  const found = (state: "no" | "warning", change: Partial<Parameters<typeof redeemChecks>[0]>) =>
    redeemChecks({ ...fine, ...change })
      .filter((check) => check.state === state)
      .map(({ id }) => id)

  it("pass a possible redemption, with the resulting balance and stock", () => {
    expect(redeemChecks(fine).map(({ state, change }) => [state, change?.from, change?.to])).toEqual([
      ["ok", "250", "50"],
      ["ok", "5", "3"],
    ])
  })

  it.each([Number.NaN, 0])("forecast nothing while the quantity is invalid (%s)", (quantity) => {
    expect(redeemChecks({ ...fine, quantity })).toEqual([
      { id: "points", state: "ok", words: "250 points available" },
      { id: "stock", state: "ok", words: "5 in stock" },
    ])
    const reward = { id: "rew_1", name: "Drill kit", points_cost: 100 }
    expect(redeemLabels(reward, quantity, "Ana Silva").action).toBe("Redeem Drill kit for Ana Silva")
    expect(redeemLabels(reward, quantity, "Ana Silva", true).action).toBe("Redeem for Ana Silva")
  })

  it("refuse only what the service documents, and warn of what it may refuse", () => {
    expect(found("no", { quantity: 3 })).toEqual(["points"])
    for (const [change, id] of [
      [{ member: { status: "Inactive" } }, "member"],
      [{ member: { status: "pending" } }, "member"],
      [{ reward: { ...fine.reward, status: "inactive" } }, "reward"],
      [{ reward: { ...fine.reward, stock: 1 } }, "stock"],
      [{ reward: { ...fine.reward, stock: 0 } }, "stock"],
    ] as const) {
      expect([found("no", change), found("warning", change)]).toEqual([[], [id]])
    }
  })

  it("leave unknown conditions to the service", () => {
    for (const change of [
      { balance: undefined },
      { reward: {} },
      { reward: { ...fine.reward, stock: null }, balance: 200 },
    ]) {
      expect([found("no", change), found("warning", change)]).toEqual([[], []])
    }
  })
})

describe("countries", () => {
  it("are named in the user's language, each code once", () => {
    const german = countriesIn(["de-DE"])
    expect(german.find(({ code }) => code === "AU")?.name).toBe("Australien")
    expect(new Set(german.map(({ code }) => code)).size).toBe(german.length)
    expect(german.length).toBeGreaterThan(240)
    expect(german.every(({ code }) => /^[A-Z]{2}$/.test(code))).toBe(true)
  })

  it("are found by the beginning of the name, the code, or without accents", () => {
    const english = countriesIn(["en"])
    expect(countriesFor(english, "austral")[0]?.code).toBe("AU")
    expect(countriesFor(english, "nz")[0]?.code).toBe("NZ")
    // "UK" is also the beginning of Ukraine, which is not meant.
    expect(countriesFor(english, "uk").map(({ code }) => code)).toEqual(["GB"])
    expect(countriesFor(english, "Kosovo")[0]?.code).toBe("XK")
    expect(countriesFor(english, "cote d")[0]?.code).toBe("CI")
  })
})
