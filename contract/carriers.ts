import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { plainText, requiredText } from "./program/common.ts"

const code = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/, "Use lowercase letters, digits and hyphens."))

/** Stands for the tracking number in a link. */
const numberMark = "{number}"

function isLink(link: string): boolean {
  if (link.split(numberMark).length !== 2) return false
  // The mark must not be what says where the link leads.
  const [first, second] = [link.replace(numberMark, "1"), link.replace(numberMark, "2")]
  if (!URL.canParse(first) || !URL.canParse(second)) return false
  const address = new URL(first)
  return address.protocol === "https:" && address.username === "" && address.origin === new URL(second).origin
}

/** A carrier as the desk knows it. */
export const carrier = z.strictObject({
  code,
  /** What is written into an order. */
  name: requiredText("the carrier's name", 80),
  link: z.nullable(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(500),
        z.refine(isLink, "Enter an address that starts with https:// and contains {number} once."),
      ),
  ),
  /** Whether it can be chosen. */
  offered: z.boolean(),
})
/** A carrier as the desk knows it. */
export type Carrier = z.output<typeof carrier>

/** The carriers of the program. */
export const carrierSettings = z.strictObject({
  carriers: z.array(carrier).check(
    z.maxLength(100),
    z.refine(
      (all) => new Set(all.map((one) => one.code)).size === all.length,
      "Each code can appear only once.",
    ),
  ),
})
/** The carriers of the program. */
export type CarrierSettings = z.output<typeof carrierSettings>

/** A parcel's page at its carrier; null without a link or a number. */
export function trackingLink(link: string | null, number: string): string | null {
  if (link === null || number === "") return null
  return link.replace(numberMark, () => encodeURIComponent(number))
}

const number = plainText().check(z.minLength(1))

/** Body of `POST /api/carriers/recognise`. */
export const recogniseBody = z.strictObject({
  numbers: z.array(number).check(z.minLength(1), z.maxLength(limits.numbersAtOnce)),
})

/** Body of `POST /api/carriers/choice`: whose a number is, for it and others of the same beginning and length. */
export const carrierChoiceBody = z.strictObject({ number, carrier: code })
/** Body of `DELETE /api/carriers/choice`. */
export const forgetChoiceBody = z.strictObject({ number })

/** Whose a tracking number is. */
export const recognised = z.object({
  number: z.string(),
  /** Codes of the offered carriers it can be of, the likeliest first. */
  carriers: z.array(z.string()),
  /** null: a person has to say. */
  chosen: z.nullable(z.string()),
  /** `shape`: only this carrier numbers like that; `remembered`: somebody said so; `asked`: several do; `unknown`. */
  why: z.enum(["shape", "remembered", "asked", "unknown"]),
  /** The parcel's page at the chosen carrier. */
  link: z.nullable(z.string()),
})
/** Whose a tracking number is. */
export type Recognised = z.output<typeof recognised>

const none = { link: null, offered: true } as const

/** Carriers until somebody saves others: a program in Australia, and who else delivers there. */
export const firstCarriers: CarrierSettings = {
  carriers: [
    {
      code: "auspost",
      name: "Australia Post",
      link: "https://auspost.com.au/mypost/track/details/{number}",
      offered: true,
    },
    {
      code: "startrack",
      name: "StarTrack",
      link: "https://startrack.com.au/track/details/{number}",
      offered: true,
    },
    {
      code: "dhl",
      name: "DHL",
      link: "https://www.dhl.com/au-en/home/tracking.html?tracking-id={number}",
      offered: true,
    },
    {
      code: "fedex",
      name: "FedEx",
      link: "https://www.fedex.com/fedextrack/?trknbr={number}",
      offered: true,
    },
    { code: "ups", name: "UPS", link: "https://www.ups.com/track?tracknum={number}", offered: true },
    {
      code: "nzpost",
      name: "NZ Post",
      link: "https://www.nzpost.co.nz/tools/tracking?trackid={number}",
      offered: true,
    },
    {
      code: "usps",
      name: "USPS",
      link: "https://tools.usps.com/go/TrackConfirmAction?tLabels={number}",
      offered: true,
    },
    {
      code: "ontrac",
      name: "OnTrac",
      link: "https://www.ontrac.com/tracking/?number={number}",
      offered: false,
    },
    {
      code: "amazon",
      name: "Amazon Shipping",
      link: "https://track.amazon.com/tracking/{number}",
      offered: false,
    },
    { ...none, code: "post", name: "Other postal service" },
    { ...none, code: "other", name: "Other" },
  ],
}
