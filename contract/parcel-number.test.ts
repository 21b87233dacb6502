import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { numberShape, plainNumber, identifiesCarrier, trackingLink } from "./orders.ts"
import { orderUpdateRow } from "./kinds/order-update.ts"
import { hasWrongCheckDigit, isLabelBarcode, parcelNumber } from "./parcel-number.ts"

const gs = "\u001D"

describe("the tracking number in a label's barcode", () => {
  it.each([
    ["eParcel, GS1-128", "]C1019931265099999891KXT012345001000930908", "KXT012345001000930908"],
    [
      "eParcel, DataMatrix",
      `019931265099999891KXT012345801000930904${gs}4204570${gs}8008261121101500`,
      "KXT012345801000930904",
    ],
    [
      "eParcel, FNC1 as a pipe",
      "019931265099999891JDQ012345701000910900|4204570|8008261121101500",
      "JDQ012345701000910900",
    ],
    [
      "eParcel, FNC1 left out by the scanner",
      "019931265099999891KXT01234580100093090442045708008261121101500",
      "KXT012345801000930904",
    ],
    [
      "eParcel, as printed below the bars",
      "(01)99312650999998(91)KXT012345001000930908",
      "KXT012345001000930908",
    ],
    ["eParcel, in small letters", "019931265099999891kxt012345001000930908", "kxt012345001000930908"],
    ["another sender's, marked", `]d201993126509999989133QK12345678${gs}4204570`, "33QK12345678"],
    ["USPS behind a ZIP", "420100019200190164917310000008", "9200190164917310000008"],
    ["USPS behind a ZIP and FNC1", `]C142010001${gs}9200190164917310000008`, "9200190164917310000008"],
    ["USPS behind ZIP+4", "4201000123459200190164917310000008", "9200190164917310000008"],
    ["FedEx Ground, 34 digits", "9622001900000000000000776632517510", "776632517510"],
    ["FedEx Express, 34 digits", "1001921334250001000300779017972697", "779017972697"],
    ["an SSCC with its zeros", "]C100340434161094000001", "00340434161094000001"],
    ["an SSCC behind a postcode", `]C14204570${gs}00340434161094000001`, "00340434161094000001"],
    ["a consignment", `401CON12345678${gs}4204570`, "CON12345678"],
  ])("%s", (_what, barcode, number) => {
    expect(parcelNumber(barcode)).toBe(number)
    expect(plainNumber(barcode)).toBe(number.toUpperCase())
    expect(plainNumber(barcode)).toBe(plainNumber(number))
  })

  it.each([
    "33QK12345678",
    "0034000123456789",
    "1Z 999 AA1 0123 456784",
    "9112345678",
    "9200190164917310000008",
    "012345678901234567891234567890",
    "10019213342500010003007790179726",
    "4204570",
    "RB123456785AU",
    "ord_20409",
    "(02) 9876 5432",
    "",
  ])("is none in %j, which stays as it is", (text) => {
    expect(parcelNumber(text)).toBe(text)
    expect(isLabelBarcode(text)).toBe(false)
  })

  it("needs no more than a scanner's marks taken off where the barcode is the number", () => {
    expect(parcelNumber("]C1ord_1\r")).toBe("ord_1")
    expect(parcelNumber(`${gs}00093275105000000012 `)).toBe("00093275105000000012")
  })

  it("is found whatever else the label says, in whatever order", () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
    const other = fc.oneof(
      digits(4).map((postcode) => `420${postcode}${gs}`),
      digits(12).map((time) => `8008${time}${gs}`),
      digits(6).map((day) => `11${day}`),
      fc.stringMatching(/^[A-Z0-9]{1,12}$/).map((lot) => `10${lot}${gs}`),
    )
    const article = fc
      .tuple(fc.stringMatching(/^[A-Z]{3}\d{17}$/), fc.constant("0"))
      .map((parts) => parts.join(""))
    fc.assert(
      fc.property(
        article,
        fc.array(other, { maxLength: 3 }),
        fc.array(other, { maxLength: 3 }),
        (number, before, after) => {
          const barcode = [...before, "0199312650999998", `91${number}${gs}`, ...after].join("")
          expect(parcelNumber(barcode)).toBe(number)
          expect(parcelNumber(`]d2${barcode}`)).toBe(number)
        },
      ),
    )
  })

  it("is the same when it is looked for again", () => {
    const part = fc.oneof(
      fc.constantFrom("]C1", "]d2", gs, "|", "(91)", "01", "9931265099999898", "420", "91", "96", "00"),
      fc.stringMatching(/^[A-Z0-9 ]{0,24}$/),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const number = parcelNumber(parts.join(""))
        expect(parcelNumber(number)).toBe(number)
      }),
      { examples: [[[gs, "(91)", "]C1", "]C1"]]] },
    )
  })

  it("is what an order is given, and what its link leads to", () => {
    const row = { order_id: "ord_1", tracking_number: "]C1019931265099999891KXT012345001000930908" }
    expect(orderUpdateRow.parse(row).tracking_number).toBe("KXT012345001000930908")
    expect(trackingLink("https://carrier.test/{number}", row.tracking_number)).toBe(
      "https://carrier.test/KXT012345001000930908",
    )
  })
})

describe("a number as it is compared", () => {
  it("is the same with other spaces, hyphens and letters", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9]{4,24}$/), fc.nat(24), (text, at) => {
        const spread = `${text.slice(0, at)} ${text.slice(at)}-`.toLowerCase()
        expect(plainNumber(spread)).toBe(plainNumber(text))
        expect(plainNumber(`${text}0`)).not.toBe(plainNumber(text))
      }),
    )
  })

  it("has the shape of the number, not of the label around it", () => {
    expect(numberShape("]C1019931265099999891KXT012345001000930908")).toBe(
      numberShape("KXT012345001000930908"),
    )
  })
})

describe("a check digit", () => {
  it.each([
    ["UPU S10", "RB123456785AU", "RB123456789AU"],
    ["UPS", "1Z999AA10123456784", "1Z999AA10123456783"],
    ["eParcel", "KXT012345001000930908", "KXT012345001000930907"],
    ["USPS", "9261292700768711948021", "9261292700768711948022"],
  ])("of %s is right in %s and wrong in %s", (_whose, right, wrong) => {
    expect(hasWrongCheckDigit(right)).toBe(false)
    expect(hasWrongCheckDigit(`${wrong.slice(0, 2)} ${wrong.slice(2).toLowerCase()}`)).toBe(true)
    expect([identifiesCarrier(right), identifiesCarrier(wrong)]).toEqual([true, false])
  })

  it("is not checked in ambiguous formats, nor in a label's barcode, which has its own check", () => {
    for (const number of ["33QK12345678", "986578788856", "GE123456789WW", "00093275105000000012"])
      expect(hasWrongCheckDigit(number)).toBe(false)
    expect(hasWrongCheckDigit("019931265099999891JDQ012345701000910900|4204570")).toBe(false)
  })
})
