import { carrierChoiceBody, forgetChoiceBody, recogniseBody } from "../../contract/orders.ts"
import { putChoice, readChoices, shapeOf } from "../orders/carriers.ts"
import { type CouriersOf, loadCouriers } from "../orders/carriers.ts"
import { recognise } from "../orders/carriers.ts"
import type { Handler } from "../context.ts"
import { invalid, stored } from "../errors.ts"
import { noContent, success } from "../http.ts"
import { plainNumber } from "../orders/tracking-numbers.ts"
import { readBody } from "../validation.ts"

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
