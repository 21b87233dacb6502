import { describe, expect, it } from "vitest"
import { countriesFor, countriesIn } from "./address-fields.tsx"
import { redeemChecks } from "./redeem-model.ts"
import { addressNeed, firstValues, redeemSchema } from "./redeem-model.ts"

const typed = { ...firstValues("Ana Silva"), line1: "4 Aerodrome Road", city: "Maroochydore" }
const whole = { ...typed, postal_code: "0455", country: "AU" }

describe("what is sent", () => {
  it("has no address for a digital reward, whatever stands in the fields", () => {
    expect(redeemSchema("none").parse({ ...whole, quantity: "3" })).toEqual({ quantity: 3 })
  })

  it("has the address for a physical one, without what was left empty", () => {
    expect(redeemSchema("required").parse(whole)).toEqual({
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

  it("names each field that is missing", () => {
    const read = redeemSchema("required").safeParse(typed)
    expect(read.error?.issues.map(({ path }) => path.join("."))).toEqual(["postal_code", "country"])
  })

  it("may leave the address out where the type is not known, and not half of it", () => {
    expect(redeemSchema("optional").parse(firstValues("Ana Silva"))).toEqual({ quantity: 1 })
    expect(redeemSchema("optional").safeParse(typed).success).toBe(false)
  })

  it.each([
    ["45580", "AU"],
    ["4558", "US"],
  ])("refuses %s as a postcode of %s, at its field", (postal_code, country) => {
    const read = redeemSchema("required").safeParse({ ...whole, postal_code, country })
    expect(read.error?.issues.map(({ path }) => path.join("."))).toEqual(["postal_code"])
  })

  it.each([
    ["4558", "AU"],
    ["1012 ab", "NL"],
    ["ec1a 1bb", "GB"],
    // Postcodes of this country are not known: anything may be right.
    ["anything", "AO"],
  ])("takes %s as a postcode of %s", (postal_code, country) => {
    expect(redeemSchema("required").safeParse({ ...whole, postal_code, country }).success).toBe(true)
  })

  it.each(["1", "99", "100", "12345", "1000001"])("accepts %s pieces", (quantity) => {
    expect(redeemSchema("none").parse({ ...whole, quantity })).toEqual({ quantity: Number(quantity) })
  })

  it.each(["", "0", "9007199254740993", "1.5", "-1", "1e1"])("refuses %o pieces", (quantity) => {
    const read = redeemSchema("none").safeParse({ ...whole, quantity })
    expect(read.error?.issues[0]?.path).toEqual(["quantity"])
  })

  it("asks for an address by the type, in any case", () => {
    expect([
      addressNeed("Physical"),
      addressNeed("digital"),
      addressNeed("voucher"),
      addressNeed(null),
    ]).toEqual(["required", "none", "optional", "optional"])
  })
})

describe("checks before it is sent", () => {
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

  it("passes what can be done, with balance and stock after it", () => {
    expect(redeemChecks(fine).map(({ state, change }) => [state, change?.from, change?.to])).toEqual([
      ["ok", "250", "50"],
      ["ok", "5", "3"],
    ])
  })

  it("refuses only what the service documents, and warns of what it may refuse", () => {
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

  it("leaves to the service what cannot be told", () => {
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
  it("are named in the person's language, each code once", () => {
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
    // "UK" begins Ukraine too, which is not meant.
    expect(countriesFor(english, "uk").map(({ code }) => code)).toEqual(["GB"])
    expect(countriesFor(english, "Kosovo")[0]?.code).toBe("XK")
    expect(countriesFor(english, "cote d")[0]?.code).toBe("CI")
  })
})
