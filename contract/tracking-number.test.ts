import { describe, expect, it } from "vitest"
import { orderRefusal, trackingDoubt, trackingNumber } from "./tracking-number.ts"

describe("a tracking number", () => {
  it.each([
    ["", ""],
    [" 00 91 ", "00 91"],
    ['="00340434161094021501"', "00340434161094021501"],
    ["𝟛４5", "345"],
    ["n/a", "n/a"],
    ["]C1019931265099999891KXT012345001000930908", "KXT012345001000930908"],
  ])("%s is read as %s", (typed, number) => {
    expect(trackingNumber.parse(typed)).toBe(number)
  })

  it.each([
    ["9.4E+21", /rounded/],
    ["#N/A", /spreadsheet’s error/],
    ['="#REF!"', /spreadsheet’s error/],
    ["=A1", /a formula/],
    ["+A1*2", /a formula/],
    ["-", /letters or digits/],
    ["💥", /letters or digits/],
    ["https://carrier.test/track", /without a tracking number/],
  ])("%s is refused with the reason", (typed, reason) => {
    expect(trackingNumber.safeParse(typed).error?.issues[0]?.message).toMatch(reason)
  })

  it.each([
    ["ord_20398", "ord_1", "This is an order number, not a tracking number"],
    ["ORD_20398", "#20411", "This is an order number, not a tracking number"],
    ["LRL.20398", "LRL.1", "This is an order number, not a tracking number"],
    ["R-1:9", "R-1:9", "This is the order’s own id"],
    ["ord 1", "ord-1", "This is the order’s own id"],
    ["RB123456785AU", "ord_1", undefined],
    ["12345", "123456", undefined],
  ])("%s for %s is refused: %s", (number, orderId, reason) => {
    expect(orderRefusal(number, orderId)?.sentence.split(".")[0]).toBe(reason)
  })

  it.each([
    ["n/a", "words"],
    ["left at door 3", "words"],
    ["28 Nov", "date"],
    ["12E45", "shortened"],
    ["33.0", "decimals"],
    ["9400100000000000000000", "zeros"],
    ["RB123456789AU", "digit"],
    ["А12345678", "letters"],
    ["https://carrier.test/?id=S34WER4S", "link"],
    ["33QK12345678", undefined],
    ["", undefined],
  ])("%s has to be confirmed: %s", (typed, code) => {
    expect(trackingDoubt(typed)?.code).toBe(code)
  })
})
