import { postcodeValidator, postcodeValidatorExistsForCountry } from "postcode-validator"
import * as z from "zod/mini"
import { hasPostcodes, noPostcode } from "../../../contract/program/common.ts"
import type { Member } from "../../../contract/program/member.ts"
import { redeemBody, shippingAddress, type Reward } from "../../../contract/program/reward.ts"
import { formatCount, formatPoints } from "../../lib/format.ts"
import { defined } from "../../lists/list-params.ts"
import { isInactive, rewardName } from "./reward-view.tsx"

/** Values of the form's fields. */
export const redeemValues = z.object({
  quantity: z.string(),
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  country: z.string(),
})
export type RedeemValues = z.output<typeof redeemValues>

/** The parsed form values. */
export type RedeemEntry = Required<Pick<RedeemBody, "quantity">> & Pick<RedeemBody, "shipping_address">

type RedeemBody = z.output<typeof redeemBody>

/** Whether an address is needed. */
type AddressNeed = "required" | "optional" | "none"

/**
 * Whether a reward's type needs an address (docs/api/program.md, Rewards, rule 2); optional for an undocumented type.
 */
export function addressNeed(type: string | null | undefined): AddressNeed {
  const needs: Record<string, AddressNeed | undefined> = { physical: "required", digital: "none" }
  return needs[type?.toLowerCase() ?? ""] ?? "optional"
}

/** Initial values: one piece, for the member by name, in the program's country. */
export function firstValues(name: string, country = ""): RedeemValues {
  return { quantity: "1", name, line1: "", line2: "", city: "", state: "", postal_code: "", country }
}

/** Parses a quantity; NaN for anything but an integer. */
export function readQuantity(text: string): number {
  const pieces = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isSafeInteger(pieces) ? pieces : Number.NaN
}

/** The form's schema, with problems by field. */
export function redeemSchema(need: AddressNeed): z.ZodMiniType<RedeemEntry, RedeemValues> {
  return z.pipe(
    redeemValues.check(({ value, issues }) => {
      const problem = (path: PropertyKey[], message: string) =>
        issues.push({ code: "custom", path, message, input: value })
      if (!redeemBody.shape.quantity.safeParse(readQuantity(value.quantity)).success) {
        problem(["quantity"], "Enter a whole number from 1.")
      }
      if (!hasAddress(need, value)) return
      const read = shippingAddress.safeParse(toShippingAddress(value))
      for (const { path, message } of read.error?.issues ?? []) problem(path, message)
      if (read.success && !isPostcode(read.data)) {
        problem(["postal_code"], "This isn’t a postcode of the country chosen. Check both.")
      }
    }),
    z.transform((value) => ({
      quantity: readQuantity(value.quantity),
      ...(hasAddress(need, value)
        ? { shipping_address: shippingAddress.parse(toShippingAddress(value)) }
        : {}),
    })),
  )
}

/** Whether a postcode matches its country's format; any text does if the format is unknown. */
function isPostcode({ postal_code, country }: { postal_code: string; country: string }): boolean {
  if (!hasPostcodes(country) && postal_code === noPostcode) return true
  return !postcodeValidatorExistsForCountry(country) || postcodeValidator(postal_code.toUpperCase(), country)
}

/** Form values of a sent request, for correction. */
export function toFormValues({ quantity = 1, shipping_address }: RedeemBody): RedeemValues {
  return {
    ...firstValues(""),
    ...shipping_address,
    line2: shipping_address?.line2 ?? "",
    state: shipping_address?.state ?? "",
    quantity: String(quantity),
  }
}

// Name and country are prefilled, so they alone are not an address.
function hasAddress(need: AddressNeed, { line1, city, postal_code }: RedeemValues): boolean {
  return need === "required" || (need === "optional" && `${line1}${city}${postal_code}`.trim() !== "")
}

/** Leaves out empty optional fields: the service may refuse an empty text. */
function toShippingAddress({ quantity: _quantity, line2, state, ...required }: RedeemValues) {
  return { ...required, ...defined({ line2: line2.trim() || undefined, state: state.trim() || undefined }) }
}

/**
 * One condition of a redemption. `no` is documented to be refused, so it is not sent; `warning` and `unknown` are
 * left to the service.
 */
export interface RedeemCheck {
  readonly id: "member" | "reward" | "points" | "stock"
  readonly state: "ok" | "no" | "warning" | "unknown"
  readonly words: string
  readonly change?: { readonly from: string; readonly to: string }
}

/**
 * The conditions of a redemption, as far as known; an invalid `quantity` has no forecast. Only too few points are
 * documented as refused (docs/api/program.md, Rewards, rule 1); status and stock are warnings.
 */
export function redeemChecks(known: {
  readonly member: Pick<Member, "status">
  readonly reward: Pick<Reward, "status" | "points_cost" | "stock">
  readonly balance: number | undefined
  readonly quantity: number
}): RedeemCheck[] {
  const { member, reward, balance, quantity } = known
  const pieces = isQuantity(quantity) ? quantity : undefined
  const pending = member.status?.toLowerCase() === "pending"
  const checks = [
    (pending || isInactive(member)) &&
      warning("member", `This member is ${pending ? "pending" : "inactive"}.`),
    isInactive(reward) && warning("reward", "This reward is inactive."),
    pointsCheck(balance, totalCost(reward, pieces ?? 1), pieces !== undefined),
    reward.stock !== undefined && stockCheck(reward.stock, pieces),
  ]
  return checks.filter((check) => check !== false)
}

function warning(id: RedeemCheck["id"], words: string): RedeemCheck {
  return { id, state: "warning", words: `${words} The service may refuse it.` }
}

function stockCheck(stock: number | null, pieces: number | undefined): RedeemCheck {
  if (stock === null) return { id: "stock", state: "ok", words: "Unlimited" }
  if (stock <= 0) return warning("stock", "Out of stock.")
  if (pieces === undefined) return { id: "stock", state: "ok", words: `${formatCount(stock)} in stock` }
  if (stock < pieces) return warning("stock", `Only ${formatCount(stock)} in stock.`)
  const change = { from: formatCount(stock), to: formatCount(stock - pieces) }
  return { id: "stock", state: "ok", words: "In stock", change }
}

const isQuantity = (quantity: number) => Number.isSafeInteger(quantity) && quantity > 0

/** Cost of pieces of a reward in points; undefined without a price. */
export function totalCost({ points_cost }: Pick<Reward, "points_cost">, pieces: number): number | undefined {
  return typeof points_cost === "number" ? points_cost * pieces : undefined
}

/** `forecast`: the cost is that of the quantity, else of one piece while the quantity is invalid. */
function pointsCheck(balance: number | undefined, cost: number | undefined, forecast: boolean): RedeemCheck {
  if (balance === undefined || cost === undefined) {
    const words = balance === undefined ? "Balance unknown" : "Cost unknown"
    return { id: "points", state: "unknown", words }
  }
  if (balance < cost) {
    const short = formatPoints(cost - balance)
    return { id: "points", state: "no", words: `Not enough points: ${short} short of ${formatPoints(cost)}` }
  }
  if (!forecast) return { id: "points", state: "ok", words: `${formatPoints(balance)} points available` }
  const change = { from: formatPoints(balance), to: formatPoints(balance - cost) }
  return { id: "points", state: "ok", words: "Enough points", change }
}

/** "1 × Makita 18 V drill kit". */
export function piecesText(quantity: number, name: string): string {
  return `${formatPoints(quantity)} × ${name}`
}

/** Maximum length of a name on a button. */
const longest = 30

/**
 * Button labels: "Redeem 1 × Drill kit for Ana Silva, 9,500 points". `short` is for a phone, where the reward is
 * shown right above: "Redeem 1 for Ana Silva, 9,500 points". Without number and points while the quantity is invalid.
 */
export function redeemLabels(
  reward: Pick<Reward, "id" | "name" | "points_cost">,
  quantity: number,
  whom: string,
  short = false,
) {
  const points = isQuantity(quantity) ? totalCost(reward, quantity) : undefined
  const name = rewardName(reward)
  const fitting = name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name
  const counted = short ? formatPoints(quantity) : piecesText(quantity, fitting)
  const pieces = isQuantity(quantity) ? `${counted} ` : short ? "" : `${fitting} `
  const what = `${pieces}for ${whom}`
  return {
    action: points === undefined ? `Redeem ${what}` : `Redeem ${what}, ${formatPoints(points)} points`,
    running: `Redeeming ${what}`,
  }
}
