import { Refusal } from "../refusal.ts"
import type { CardTemplate } from "../seed/templates.ts"
import type { World } from "../world.ts"
import { invalidCode, unspecified } from "./refusals.ts"

/** The template a request means. Throws 400 NO_CARD_SPECIFIED, 404. */
export function templateFor(world: World, cardId: string | undefined): CardTemplate {
  const wanted = cardId ?? world.settings.defaultCard
  if (wanted === null) {
    throw new Refusal(400, "NO_CARD_SPECIFIED", "No cardId was given and the integration has no default card")
  }
  const template = world.store.templates.get(wanted)
  if (template === undefined) throw unspecified(world.settings, 404, "NOT_FOUND", "Card template not found")
  return template
}

/** Refuses a template that is not set up, then a face value it does not have (docs/api/giftcard.md, Errors). */
export function refuseUnready(world: World, template: CardTemplate, denomination: number): void {
  if (!template.catalogue) {
    throw new Refusal(422, "SETUP_INCOMPLETE_CATALOGUE", "The card has no gift card catalogue assigned")
  }
  if (!template.clientName) {
    throw new Refusal(422, "SETUP_INCOMPLETE_CLIENT_NAME", "The client name is missing in branding")
  }
  if (template.produced.length === 0) {
    throw new Refusal(422, "SETUP_INCOMPLETE_DENOMINATIONS", "No denomination images were produced")
  }
  if (template.produced.includes(denomination)) return
  if (template.denominations.includes(denomination)) {
    throw new Refusal(422, "DENOMINATION_NOT_PRODUCED", `The image for ${denomination} was not produced`)
  }
  throw new Refusal(
    400,
    invalidCode(world.settings, "denomination"),
    `The card has no denomination ${denomination}`,
  )
}

/** What a card takes from the fund, in cents: face value, fee and GST on the fee; nothing in test mode. */
export function drawnCents(template: CardTemplate, denomination: number): number {
  if (template.test) return 0
  const fee = template.feeCents
  return Math.round(denomination * 100) + fee + Math.round((fee * template.gstPercent) / 100)
}
