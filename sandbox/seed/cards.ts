import { codeFrom, pick, randomFrom } from "../random.ts"
import type { CardRecord } from "../store/records.ts"
import type { SeedBase } from "./base.ts"
import { featured } from "./featured.ts"

const day = 86_400_000

/**
 * Cards issued before the seed's end, oldest first: two for Ana Silva, one each for the others everyone meets.
 * `SPRINT-0131` was used on both live templates, so a look-up by it alone is ambiguous.
 */
export function seedCards(base: SeedBase, idOf: (index: number) => string): CardRecord[] {
  const cards: CardRecord[] = []
  const add = (member: number, cardId: string, amount: number, externalRef: string, days: number) => {
    if (member >= base.members) return
    const issued = Math.floor(base.seededAt - days * day)
    const id = `gc_${codeFrom(8, base.number, 51, cards.length)}`
    const isTest = cardId === "card_testmode"
    cards.push({
      id,
      cardId,
      memberId: idOf(member),
      amount,
      externalRef,
      isTest,
      issued,
      expires: issued + 90 * day,
    })
  }
  add(1, "card_tradevisa", 50, "SPRINT-0131", 120)
  add(2, "card_bunnings", 50, "SPRINT-0131", 119)
  add(0, "card_bunnings", 100, "NPS-2291", 1)
  add(0, "card_tradevisa", 250, "SPRINT-0120", 60)
  add(3, "card_testmode", 25, "TEST-0007", 2)
  featured.forEach((_, index) => {
    const random = randomFrom(base.number, 52, index)
    const amount = pick(random, [50, 100, 250])
    if (index > 3)
      add(
        index,
        amount === 250 ? "card_tradevisa" : "card_bunnings",
        amount,
        `NPS-${2240 + index}`,
        4 + random() * 50,
      )
  })
  return cards.toSorted((a, b) => a.issued - b.issued)
}
