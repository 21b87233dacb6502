import type { RegisteredCard } from "../../../../contract/cards.ts"
import { daysLeft } from "../show/card-words.ts"

/**
 * Why a card's link cannot be asked for; undefined where it can. The server decides again
 * (docs/decisions/0009-gift-cards.md, Revealing).
 */
export function cannotReveal(
  card: Pick<RegisteredCard, "can_reveal" | "job" | "expires_at">,
  mayReveal: boolean,
  now: number,
): { title: string; help: string } | undefined {
  if (!mayReveal) {
    return {
      title: "Your role can’t reveal links",
      help: "Managers and administrators can. The recipient has the link in the service’s e-mail.",
    }
  }
  if (card.job === null) {
    return {
      title: "This card was issued elsewhere",
      help: "Only the system that issued it can get its link again. The recipient has it in the service’s e-mail.",
    }
  }
  if ((daysLeft(card.expires_at, now) ?? 0) < 0) {
    return {
      title: "This card has expired",
      help: "Revealing its link could issue a new card. Issue another card if one is needed.",
    }
  }
  if (!card.can_reveal) {
    return {
      title: "The link of this card can’t be revealed",
      help: "The row that issued it isn’t confirmed, or the card wasn’t issued here.",
    }
  }
  return undefined
}
