import { expect, it } from "vitest"
import { awardRow } from "./kinds/points.ts"
import { giftcardRow } from "./kinds/giftcard.ts"
import { orderUpdateRow } from "./kinds/order-update.ts"
import { createMemberBody, memberListQuery, updateMemberBody } from "./program/member.ts"
import { signInBody } from "./users.ts"
import { comparedText, exactText, isErrorCell, searchedText } from "./typed-text.ts"

const invisible = [
  "\u00AD",
  "\u061C",
  "\u200B",
  "\u200C",
  "\u200D",
  "\u200E",
  "\u202A",
  "\u202C",
  "\u2060",
  "\u2066",
  "\uFEFF",
]

it.each(invisible)("exact fields lose the format character %j at any position", (sign) => {
  const around = (text: string) => `${sign}${text.slice(0, 3)}${sign}${text.slice(3)}${sign}`
  expect(exactText(around("33QK12345678"))).toBe("33QK12345678")
  const award = awardRow.parse({
    email: around("ana@site.example"),
    points: 5,
    reason: "Bonus",
    reference: around("INV-1"),
  })
  expect(award).toMatchObject({ email: "ana@site.example", reference: "INV-1" })
  expect(orderUpdateRow.parse({ order_id: "o", tracking_number: around("33QK12345678") })).toMatchObject({
    tracking_number: "33QK12345678",
  })
  const member = {
    email: around("ana@site.example"),
    first_name: "Ana",
    last_name: "Silva",
    phone: around("0400 1"),
  }
  expect(createMemberBody.parse(member)).toMatchObject({ email: "ana@site.example", phone: "0400 1" })
  const card = giftcardRow.parse({
    member: {
      email: "a@b.example",
      firstname: "A",
      lastname: "B",
      accountKey: around("K-100"),
      mobile: around("0400"),
    },
    denomination: 50,
    externalRef: around("R-1001"),
  })
  expect(card).toMatchObject({ member: { accountKey: "K-100", mobile: "0400" }, externalRef: "R-1001" })
})

it("names keep their joiners and are composed", () => {
  const person = { first_name: "می\u200Cخواهم", last_name: "👩\u200D🚀 Mun\u0303oz" }
  expect(updateMemberBody.parse(person)).toEqual({
    first_name: "می\u200Cخواهم",
    last_name: "👩\u200D🚀 Muñoz",
  })
})

it("passwords, idempotency keys, metadata keys and what was seen of a record stay byte for byte", () => {
  const odd = "a\u200Bb e\u0301"
  expect(signInBody.parse({ email: "a@b.example", password: odd }).password).toBe(odd)
  const card = { member: { email: "a@b.example", firstname: "A", lastname: "B" }, denomination: 50 }
  expect(giftcardRow.parse({ ...card, idempotencyKey: odd }).idempotencyKey).toBe(odd)
  const metadata = { [odd]: odd }
  expect(updateMemberBody.parse({ metadata })).toEqual({ metadata })
  const expected = { tracking_number: odd }
  expect(orderUpdateRow.parse({ order_id: "o", carrier: "UPS", expected })).toMatchObject({ expected })
})

it("a search is composed and keeps joiners inside words only", () => {
  expect(searchedText("\u200BJose\u0301\u200D")).toBe("José")
  expect(searchedText("می\u200Cخواهم")).toBe("می\u200Cخواهم")
  expect(memberListQuery.parse({ search: "Mun\u0303oz" })).toEqual({ search: "Muñoz" })
})

it("compared texts differ in more than case, blanks and invisible characters", () => {
  expect(comparedText(" INV\u200B-1 \u00A0 Jose\u0301")).toBe("inv-1 josé")
  expect(comparedText("INV-1")).not.toBe(comparedText("INV-2"))
})

it.each(
  "#N/A #NV #N/D #N/B #I/T #YOK #Н/Д #SAKNAS! #REF! #BEZUG! #RIF! #¡REF! #VALUE! #WERT! #VALEUR! #¡VALOR! #VALORE! #WAARDE! #ЗНАЧ! #NAME? #NOM? #¿NOMBRE? #NOME? #DIV/0! #¡DIV/0! #ДЕЛ/0! #NUM! #ZAHL! #NULL! #SPILL! #ÜBERLAUF! #ERROR! ##### Err:502".split(
    " ",
  ),
)("%s is an error of a spreadsheet", (text) => expect(isErrorCell(` ${text}`)).toBe(true))

it.each(["#20411", "#1 seller", "#AD", "#WOW!", "N/A", "REF", "#IT", "#", "Order #REF!"])(
  "%s is no error of a spreadsheet",
  (text) => expect(isErrorCell(text)).toBe(false),
)
