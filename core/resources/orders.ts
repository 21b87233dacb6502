import { revealBody } from "../../contract/cards.ts"
import { orderAddressesBody, usedNumbersBody } from "../../contract/orders.ts"
import type { Handler } from "../context.ts"
import { notFound } from "../errors.ts"
import { success } from "../http.ts"
import { orderAddresses } from "../orders/order-addresses.ts"
import { revealCode } from "../orders/digital-codes.ts"
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
