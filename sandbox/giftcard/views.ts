import { iso } from "../answer.ts"
import { codeFrom, seedNumber } from "../random.ts"
import type { CardRecord } from "../store/records.ts"
import type { Call } from "../world.ts"

function statusOf(call: Call, card: CardRecord): string {
  const expired = call.world.settings.expiredCardStatus === "expired" && card.expires <= call.clock
  return expired ? "expired" : "issued"
}

/** A card as a look-up shows it: never with the redeem link. */
export function lookupView(call: Call, card: CardRecord): Record<string, unknown> {
  return {
    id: card.id,
    status: statusOf(call, card),
    amount: card.amount,
    cardId: card.cardId,
    memberId: card.memberId,
    ...(card.externalRef === null ? {} : { externalRef: card.externalRef }),
    isTest: card.isTest,
    expiresAt: iso(card.expires),
    issuedAt: iso(card.issued),
  }
}

/** A card as the answer to its issue and to a replay: with the one-time link. */
export function issuedView(call: Call, card: CardRecord): Record<string, unknown> {
  return {
    id: card.id,
    status: "issued",
    amount: card.amount,
    expiresAt: iso(card.expires),
    redeemUrl: redeemUrl(call, card),
    isTest: card.isTest,
    ...(card.externalRef === null ? {} : { externalRef: card.externalRef }),
  }
}

/** The redeem link follows from the seed and the card, so that it need not be kept anywhere. */
function redeemUrl(call: Call, card: CardRecord): string {
  const token = codeFrom(32, call.world.store.base.number, 72, seedNumber(card.id))
  return `https://redeem.giftcards.example/c/${token}`
}
