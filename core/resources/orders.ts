import { revealBody } from "../../contract/cards.ts"
import {
  carrierChoiceBody,
  forgetChoiceBody,
  orderAddressesBody,
  recogniseBody,
  usedNumbersBody,
} from "../../contract/orders.ts"
import type { Handler } from "../context.ts"
import { invalid, notFound, stored } from "../errors.ts"
import { noContent, success } from "../http.ts"
import {
  type CouriersOf,
  loadCouriers,
  putChoice,
  readChoices,
  recognise,
  shapeOf,
} from "../orders/carriers.ts"
import { revealCode } from "../orders/digital-codes.ts"
import { orderAddresses } from "../orders/order-addresses.ts"
import { plainNumber } from "../orders/tracking-numbers.ts"
import { readBody } from "../validation.ts"

/** `POST /api/orders/{id}/reveal`: the digital code, to this one answer and nowhere else. */
export const postRevealCode: Handler = async (context, request, { id = "" }) => {
  const { reason } = readBody(request.body, revealBody)
  context.budget.personActive()
  return success(await revealCode(context, request, id, reason))
}

/** `GET /api/orders/{id}/address`: where one order goes. */
export const getOrderAddress: Handler = async (context, request, { id = "" }) => {
  const [found] = await orderAddresses(context, request.user, [id])
  if (found === undefined) throw notFound()
  return success(found)
}

/** `POST /api/orders/addresses`: where many orders go, in the order asked. */
export const postOrderAddresses: Handler = async (context, request) => {
  const { ids } = readBody(request.body, orderAddressesBody)
  return success(await orderAddresses(context, request.user, ids))
}

/** `POST /api/orders/used-numbers`: whether tracking numbers stand on an order already. */
export const postUsedNumbers: Handler = async (context, request) => {
  const { numbers, except } = readBody(request.body, usedNumbersBody)
  return success(await context.numbers.used(numbers, except))
}

let couriers: Promise<CouriersOf> | undefined

/** `POST /api/carriers/recognise`: whose these tracking numbers are, as far as can be told. */
export const postRecognise: Handler = async ({ settings, store }, request) => {
  const { numbers } = readBody(request.body, recogniseBody)
  couriers ??= loadCouriers()
  const { carriers } = await settings.get("carriers")
  const known = { carriers, choices: await stored(readChoices(store.settings)), couriersOf: await couriers }
  return success(numbers.map((number) => recognise(number, known)))
}

/** `POST /api/carriers/choice`: remembers whose a number is, for others of the same beginning and length. */
export const postChoice: Handler = async ({ clock, locks, settings, store }, request) => {
  const { number, carrier } = readBody(request.body, carrierChoiceBody)
  const { carriers } = await settings.get("carriers")
  if (!carriers.some((one) => one.code === carrier && one.offered)) {
    throw invalid(422, [{ field: "carrier", message: "This carrier isn’t enabled. Nothing was saved." }])
  }
  const said = { carrier, at: clock.now() }
  await locks.run("carrier-choices", () =>
    stored(putChoice(store.settings, shapeOf(plainNumber(number)), said)),
  )
  return noContent
}

/** `DELETE /api/carriers/choice`: forgets what was said about a number's shape. */
export const deleteChoice: Handler = async ({ locks, store }, request) => {
  const { number } = readBody(request.body, forgetChoiceBody)
  await locks.run("carrier-choices", () =>
    stored(putChoice(store.settings, shapeOf(plainNumber(number)), undefined)),
  )
  return noContent
}
