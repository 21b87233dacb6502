import { expect, test } from "vitest"
import { isShortForm, namedOrder, orderFinder, shortOrder } from "./order-ids.ts"

const ordersMeant = (text: string, all: readonly string[]) => orderFinder(all)(text)
const ids = ["ord_20411", "ord_20412", "ret_20412", "ord_120411"]

test.each([
  "#20411",
  "ORD-20411",
  "Order #20411",
  "order 20411",
  "20411",
  "#ord_20411",
  "ORD_20411",
  "Order #ord_20411",
])("%s matches the only order with these digits", (text) => {
  expect(ordersMeant(text, ids)).toEqual(["ord_20411"])
  expect(namedOrder(text, "ord_1")).toBe("ord_20411")
})

test("a short form matches every order with its digits, a full id only its own", () => {
  expect(ordersMeant("#20412", ids)).toEqual(["ord_20412", "ret_20412"])
  expect(ordersMeant("ret_20412", ids)).toEqual(["ret_20412"])
  expect(ordersMeant("0411", ids)).toEqual([])
})

test.each([
  "RB123456785AU",
  "33QK12345678",
  "JD014600006281230704",
  "1Z999AA10123456784",
  "Ana Silva",
  "20",
  "",
])("%j is no order", (text) => {
  expect(shortOrder(text)).toBeUndefined()
  expect(ordersMeant(text, ids)).toEqual([])
  expect(namedOrder(text, "ord_1")).toBeUndefined()
})

test("a full id is no short form", () => {
  expect(
    ["ord_20411", "20411", "#20411", "#ord_20411", "T-1"].map((text) => isShortForm(text, "ord_1")),
  ).toEqual([false, true, true, true, false])
})

test("digits match no order while the numbering of orders is unknown", () => {
  expect(namedOrder("20411", undefined)).toBeUndefined()
  expect(namedOrder("ord_20411", undefined)).toBe("ord_20411")
})
