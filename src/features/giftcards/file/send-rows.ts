import { type CardPairs, refusalOfPair } from "../../../../contract/cards.ts"
import { giftcardRow } from "../../../../contract/job-rows.ts"

/** Rows as they are handed over: those whose pair was refused before go out only because a person said so. */
export function confirmPairs(
  rows: readonly Readonly<Record<string, unknown>>[],
  pairs: CardPairs,
  usual: string | undefined,
): readonly Readonly<Record<string, unknown>>[] {
  return rows.map((row) => {
    const card = giftcardRow.safeParse(row).data
    if (card === undefined || refusalOfPair(pairs, card.cardId ?? usual, card.denomination) === undefined) {
      return row
    }
    return { ...card, confirm_pair: true }
  })
}
