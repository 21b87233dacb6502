import { revealBody } from "../../contract/cards.ts"
import {
  carrierChoiceBody,
  forgetChoiceBody,
  orderAddressesBody,
  recogniseBody,
  identifiesCarrier,
  usedNumbersBody,
} from "../../contract/orders.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { invalid, notFound } from "../errors.ts"
import { type ApiRequest, noContent, success } from "../http.ts"
import { recogniseNumbers, rememberCarrier } from "./carriers.ts"
import { programDay } from "../jobs/amount-limits.ts"
import { revealCode } from "./digital-codes.ts"
import { orderAddresses, previousAddressOf } from "./order-addresses.ts"
import { countOrders, listOrders } from "./order-list.ts"
import { readBody } from "../validation.ts"

/** The list of orders, and what Laurel itself knows about them: where they go, used numbers, who packs which, and digital codes. */
export const orderRoutes: readonly Route[] = [
  route("GET /orders", "orders.read", ["people", "query"], listOrders),
  route("GET /orders/facets", "orders.read", ["query"], countOrders),
  route("POST /orders/addresses", "orders.address", [], async (context, request) => {
    const { ids } = readBody(request.body, orderAddressesBody)
    return success(await orderAddresses(context, request.user, ids))
  }),
  route("POST /orders/used-numbers", "orders.read", [], async (context, request) => {
    const { numbers, except } = readBody(request.body, usedNumbersBody)
    return success(await context.orderUpdates.used(numbers, except))
  }),
  route("GET /orders/shipped-today", "orders.read", [], async ({ clock, orderUpdates, settings }) => {
    const { from } = programDay(clock.now(), (await settings.get("program")).time_zone)
    return success({ since: new Date(from).toISOString(), orders: await orderUpdates.shippedSince(from) })
  }),
  route("GET /orders/claims", "orders.read", [], async ({ claims }) => success(claims.list())),
  route("PUT /orders/{id}/claim", "orders.update", [], async (context, request, { id = "" }) =>
    tellClaim(context, request, id, true),
  ),
  route("DELETE /orders/{id}/claim", "orders.update", [], async (context, request, { id = "" }) =>
    tellClaim(context, request, id, false),
  ),
  route("GET /orders/{id}/address", "orders.address", ["people"], async (context, request, { id = "" }) => {
    const [found] = await orderAddresses(context, request.user, [id])
    if (found === undefined) throw notFound()
    return success(found)
  }),
  // What redeeming offers: the role that redeems may see every address captured here.
  route("GET /members/{id}/address", "rewards.redeem", ["people"], async (context, _, { id = "" }) =>
    success(await previousAddressOf(context, id)),
  ),
  // The digital code, to this one response and nowhere else.
  route("POST /orders/{id}/reveal", "secrets.reveal", [], async (context, request, { id = "" }) => {
    const { reason } = readBody(request.body, revealBody)
    context.budget.personActive()
    return success(await revealCode(context, request, id, reason))
  }),
  route("POST /carriers/recognise", "orders.read", [], async (context, request) => {
    const { numbers } = readBody(request.body, recogniseBody)
    return success((await recogniseNumbers(context, numbers)).found)
  }),
  // Remembers whose a number is, for others of the same beginning and length.
  route("POST /carriers/choice", "orders.update", [], async (context, request) => {
    const { number, carrier } = readBody(request.body, carrierChoiceBody)
    if (!identifiesCarrier(number)) {
      const message = "This number says nothing about others. Check its digits. Nothing was saved."
      throw invalid(422, [{ field: "number", message }])
    }
    const { carriers } = await context.settings.get("carriers")
    if (!carriers.some((one) => one.code === carrier && one.offered)) {
      throw invalid(422, [{ field: "carrier", message: "This carrier isn’t enabled. Nothing was saved." }])
    }
    await rememberCarrier(context, number, { carrier, at: context.clock.now() })
    return noContent
  }),
  route("DELETE /carriers/choice", "orders.update", [], async (context, request) => {
    const { number } = readBody(request.body, forgetChoiceBody)
    await rememberCarrier(context, number, undefined)
    return noContent
  }),
]

function tellClaim({ claims }: CoreContext, { user, header }: ApiRequest, id: string, open: boolean) {
  claims.publishClaim(id, user, open, header("x-laurel-tab"))
  return noContent
}
