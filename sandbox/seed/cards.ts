import type { CardCosts, CardTemplates } from "../../contract/cards.ts"
import { codeFrom, day, pick, randomFrom, type SeedBase } from "./random.ts"
import { featured } from "./members.ts"
import type { CardRecord } from "../store/records.ts"

/**
 * Cards issued before the seed's end, oldest first: two for Ana Silva, one each for the others everyone meets, most of
 * them in two batches.
 * `SPRINT-0131` was used on both live templates, so a look-up by it alone is ambiguous.
 */
export function seedCards(base: SeedBase, idOf: (index: number) => string): CardRecord[] {
  const cards: CardRecord[] = []
  const add = (member: number, cardId: string, amount: number, externalRef: string, days: number) => {
    if (member >= base.members) return
    const issued = Math.floor(base.seededAt - days * day)
    const times = { issued, expires: issued + 90 * day }
    const id = `gc_${codeFrom(8, base.number, 51, cards.length)}`
    const isTest = cardId === "card_testmode"
    cards.push({ id, cardId, memberId: idOf(member), amount, externalRef, isTest, ...times })
  }
  add(1, "card_tradevisa", 50, "SPRINT-0131", 120)
  add(2, "card_bunnings", 50, "SPRINT-0131", 119)
  add(0, "card_bunnings", 100, "NPS-2291", 1)
  add(0, "card_tradevisa", 250, "SPRINT-0120", 60)
  add(3, "card_testmode", 25, "TEST-0007", 2)
  featured.forEach((_, index) => {
    const random = randomFrom(base.number, 52, index)
    const amount = pick(random, [50, 100, 250])
    const card = amount === 250 ? "card_tradevisa" : "card_bunnings"
    if (index > 3)
      add(index, card, amount, `NPS-${2240 + index}`, (index % 2 === 0 ? 18 : 46) - index / 86_400)
  })
  return cards.toSorted((a, b) => a.issued - b.issued)
}

/** The key that a card of the seed was issued with. */
export const seedKey = (id: string) => `seed:${id}`

/** A gift-card template as the service knows it. Money in dollars unless named cents. */
export interface CardTemplate {
  readonly id: string
  readonly name: string
  readonly denominations: readonly number[]
  /** Face values whose picture was produced. */
  readonly produced: readonly number[]
  readonly catalogue: boolean
  readonly clientName: boolean
  readonly test: boolean
  readonly feeCents: number
  /** GST on the fee, in percent. */
  readonly gstPercent: number
}

function template(
  id: string,
  name: string,
  denominations: readonly number[],
  special: Partial<CardTemplate> = {},
): CardTemplate {
  const shared = { catalogue: true, clientName: true, test: false, feeCents: 250, gstPercent: 10 }
  return { id, name, denominations, produced: denominations, ...shared, ...special }
}

/** Templates in each set-up the document names: two live, one in test mode, three unfinished. */
export const seedTemplates: readonly CardTemplate[] = [
  template("card_tradevisa", "Trade Visa", [25, 50, 100, 250, 500, 1000], {
    produced: [25, 50, 100, 250, 500],
  }),
  template("card_bunnings", "Bunnings", [25, 50, 100], { feeCents: 0 }),
  template("card_testmode", "Trade Visa (test)", [25, 50], { test: true }),
  template("card_nocatalogue", "Spring thank-you", [50], { catalogue: false }),
  template("card_nopictures", "Safety week", [50, 100], { produced: [] }),
  template("card_noclient", "Regional launch", [50], { clientName: false }),
]

/**
 * The templates as entered in Laurel's settings: no endpoint lists templates, so a program
 * on the sandbox starts with them.
 */
export const cardSettings: { readonly cardTemplates: CardTemplates; readonly cardCosts: CardCosts } = {
  cardTemplates: {
    templates: seedTemplates.map(({ id, name, denominations }) => {
      return { id, name, denominations: [...denominations] }
    }),
    default: "card_tradevisa",
  },
  cardCosts: { fee_cents: 250, gst_percent: 10, fund_cents: null, fund_at: null },
}
