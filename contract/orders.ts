import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { hasWrongCheckDigit, parcelNumber } from "./parcel-number.ts"
import { orderSortFields, sortOf } from "./copy.ts"
import { exactField, idText, paging, recordText, requiredText, searchText } from "./program/common.ts"
import { orderStatuses } from "./program/order.ts"
import { rewardTypes, shippingAddress } from "./program/reward.ts"

const filters = {
  search: z.optional(searchText()),
  /** `to-ship`: pending and processing orders, without those known to be digital. */
  status: z.optional(z.enum([...orderStatuses, "to-ship"])),
  member_id: z.optional(recordText()),
  reward_id: z.optional(recordText()),
  type: z.optional(z.enum(rewardTypes)),
  /** Days of the program's time zone, both included. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
}

/** Query of `GET /api/orders`; a sort is a field, descending with a leading minus. */
export const orderSearchQuery = z.strictObject({
  ...filters,
  sort: z.optional(z.enum(orderSortFields.flatMap((field) => [field, `-${field}`] as const))),
  page: paging.page,
  per_page: z.optional(z.int().check(z.minimum(1), z.maximum(limits.copyPage))),
})
export type OrderSearchQuery = z.output<typeof orderSearchQuery>

/** Query of `GET /api/orders/facets`. */
export const orderFacetsQuery = z.strictObject(filters)
export type OrderFacetsQuery = z.output<typeof orderFacetsQuery>

/** Orders that match a query. */
export const orderFacets = z.object({
  /** By status, most first, and those to ship, whatever the filter’s status. */
  statuses: z.array(z.object({ value: z.string(), count: z.int() })),
  to_ship: z.int(),
  /** The 50 with most orders. */
  rewards: z.array(z.object({ id: z.string(), name: z.string(), count: z.int() })),
})
export type OrderFacets = z.output<typeof orderFacets>

/** The field of a sort parameter, and its direction. */
export const orderSortOf = (sort: string) => sortOf(sort, orderSortFields, "created_at")

/** Body of `POST /api/orders/addresses`: orders whose addresses are printed together. */
export const orderAddressesBody = z.strictObject({
  ids: z.array(idText()).check(z.minLength(1), z.maxLength(limits.ordersAtOnce)),
})

/** Where an order goes, as captured when it was redeemed here: the service never shows an address, nor a quantity. */
export const orderAddress = z.object({
  order_id: z.string(),
  address: z.nullable(shippingAddress),
  why_none: z.nullable(z.enum(["not_redeemed_here", "none_given", "removed"])),
  captured_at: z.nullable(z.string()),
  removed_at: z.nullable(z.string()),
  quantity: z.object({
    pieces: z.nullable(z.int()),
    /** Points spent, shared by what the reward costs now. */
    inferred: z.boolean(),
  }),
})
export type OrderAddress = z.output<typeof orderAddress>

/** `GET /api/members/{id}/address`: where the last redemption here was sent, and when it was captured; null: not known. */
export const previousAddress = z.nullable(
  z.object({ address: shippingAddress, captured_at: z.nullable(z.string()) }),
)

/** `POST /api/orders/{id}/reveal`, for one screen only. `seen`: in the order, or in the redemption's response. */
export const orderCode = z.object({
  order_id: z.string(),
  code: z.nullable(z.string()),
  why_none: z.nullable(z.enum(["not_carried"])),
  message: z.nullable(z.string()),
  seen: z.nullable(z.enum(["redemption", "order"])),
})
export type OrderCode = z.output<typeof orderCode>

const number = exactField().check(z.minLength(1))
const numbers = z.array(number).check(z.minLength(1), z.maxLength(limits.numbersAtOnce))

/** Body of `POST /api/orders/used-numbers`: tracking numbers, and an order that may well have them. */
export const usedNumbersBody = z.strictObject({ numbers, except: z.optional(recordText()) })

/** Orders that use tracking numbers already, as far as was searched; the service is not called. */
export const usedNumbers = z.object({
  used: z.array(
    z.object({
      number: z.string(),
      order_id: z.string(),
      /** As the order or the row names it, if it does. */
      carrier: z.optional(z.string()),
      where: z.enum(["job", "order"]),
      job: z.nullable(z.string()),
      at: z.string(),
    }),
  ),
  looked: z.object({
    rows: z.int(),
    since: z.nullable(z.string()),
    orders: z.int(),
    oldest_order_copy: z.nullable(z.string()),
  }),
})
export type UsedNumbers = z.output<typeof usedNumbers>

/** What everybody shipped from here since the program's day began, the last one first; the service is not asked. */
export const shippedToday = z.object({
  since: z.string(),
  orders: z.array(
    z.object({
      order_id: z.string(),
      tracking_number: z.nullable(z.string()),
      carrier: z.nullable(z.string()),
      at: z.string(),
      by: z.string(),
    }),
  ),
})
export type ShippedToday = z.output<typeof shippedToday>

const code = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, "Use lowercase letters, digits and hyphens."))

/** Placeholder of the tracking number in a link. */
const numberMark = "{number}"

function isLink(link: string): boolean {
  if (link.split(numberMark).length !== 2) return false
  // The mark must not be what says where the link leads.
  const [first, second] = [link.replace(numberMark, "1"), link.replace(numberMark, "2")]
  if (!URL.canParse(first) || !URL.canParse(second)) return false
  const address = new URL(first)
  return address.protocol === "https:" && address.username === "" && address.origin === new URL(second).origin
}

const carrier = z.strictObject({
  code,
  name: requiredText("the carrier’s name", 80),
  link: z.nullable(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(500),
        z.refine(isLink, "Enter an address that starts with https:// and contains {number} once."),
      ),
  ),
  offered: z.boolean(),
})
export type Carrier = z.output<typeof carrier>

const savedCarriers = z.strictObject({
  carriers: z.array(carrier).check(
    z.maxLength(100),
    z.refine(
      (all) => new Set(all.map((one) => one.code)).size === all.length,
      "Each code can appear only once.",
    ),
  ),
  /** Edition of the built-in list at the time of saving: carriers that were removed from it stay removed. */
  edition: z._default(z.int().check(z.minimum(1)), 1),
})
export type CarrierSettings = z.output<typeof savedCarriers>

/** A tracking number as it is compared: a label's barcode, spaces, hyphens and the case of letters make no other one. */
export function plainNumber(number: string): string {
  return parcelNumber(number)
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase()
}

/** The common part of tracking numbers of one sender and carrier: prefix and length. */
export function numberShape(number: string): string {
  const plain = plainNumber(number)
  return `${plain.slice(0, 4)}/${plain.length}`
}

/** The carrier's tracking page of a parcel; null without a link or a number. */
export function trackingLink(link: string | null, number: string): string | null {
  if (link === null || number === "") return null
  return link.replace(numberMark, () => encodeURIComponent(parcelNumber(number)))
}

/** Longer codes are no tracking numbers: what begins one says nothing about others. */
const longestNumber = 26

/**
 * Whether the carrier of a number says whose others of its beginning and length are: not of one with a wrong check digit,
 * nor of a code that holds more than a number.
 */
export function identifiesCarrier(number: string): boolean {
  return plainNumber(number).length <= longestNumber && !hasWrongCheckDigit(number)
}

export const recogniseBody = z.strictObject({ numbers })

/** Body of `POST /api/carriers/choice`: the carrier of a number, for others of the same prefix and length too. */
export const carrierChoiceBody = z.strictObject({ number, carrier: code })
export const forgetChoiceBody = z.strictObject({ number })

export const recognised = z.object({
  number: z.string(),
  /** The likeliest first. */
  carriers: z.array(z.string()),
  chosen: z.nullable(z.string()),
  /** `shape`: only this carrier uses the format; `remembered`: a person chose it; `asked`: several carriers fit. */
  why: z.enum(["shape", "remembered", "asked", "unknown"]),
  link: z.nullable(z.string()),
})
export type Recognised = z.output<typeof recognised>

const choosable = (code: string, name: string, link: string | null, offered = true): Carrier => ({
  code,
  name,
  link,
  offered,
})

const addedSince: readonly Carrier[] = [
  choosable("aramex", "Aramex", "https://www.aramex.com.au/tools/track?l={number}"),
  choosable("couriersplease", "Couriers Please", "https://www.couriersplease.com.au/tools-track/no/{number}"),
  choosable("sendle", "Sendle", "https://track.sendle.com/tracking?ref={number}"),
  choosable(
    "tnt",
    "TNT",
    "https://www.tnt.com/express/en_au/site/shipping-tools/tracking.html?searchType=con&cons={number}",
  ),
  choosable("toll", "Toll", "https://www.mytoll.com/?externalSearchQuery={number}"),
]

/** Carriers before any are saved: a program in Australia, and the carriers that deliver there. */
export const firstCarriers: CarrierSettings = {
  carriers: [
    choosable("auspost", "Australia Post", "https://auspost.com.au/mypost/track/details/{number}"),
    choosable("startrack", "StarTrack", "https://startrack.com.au/track/details/{number}"),
    choosable("dhl", "DHL", "https://www.dhl.com/au-en/home/tracking.html?tracking-id={number}"),
    ...addedSince,
    choosable("fedex", "FedEx", "https://www.fedex.com/fedextrack/?trknbr={number}"),
    choosable("ups", "UPS", "https://www.ups.com/track?tracknum={number}"),
    choosable("nzpost", "NZ Post", "https://www.nzpost.co.nz/tools/tracking?trackid={number}"),
    choosable("usps", "USPS", "https://tools.usps.com/go/TrackConfirmAction?tLabels={number}"),
    choosable("ontrac", "OnTrac", "https://www.ontrac.com/tracking/?number={number}", false),
    choosable("amazon", "Amazon Shipping", "https://track.amazon.com/tracking/{number}", false),
    choosable("post", "Other postal service", null),
    choosable("other", "Other", null),
  ],
  edition: 2,
}

/** The program's carriers. What was saved before an edition of our list gains the new ones and is otherwise as it was. */
export const carrierSettings = z.pipe(savedCarriers, z.transform(withNewCarriers))

function withNewCarriers({ carriers, edition }: CarrierSettings): CarrierSettings {
  const taken = new Set(carriers.flatMap(({ code, name }) => [code, name.toLowerCase()]))
  const isNew = ({ code, name }: Carrier) => !taken.has(code) && !taken.has(name.toLowerCase())
  const added = edition < firstCarriers.edition ? addedSince.filter(isNew) : []
  return { carriers: [...carriers, ...added], edition: Math.max(edition, firstCarriers.edition) }
}
