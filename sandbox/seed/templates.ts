/** A gift-card template as the service knows it. Money in dollars unless named cents. */
export interface CardTemplate {
  readonly id: string
  readonly name: string
  /** Configured face values. */
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

const whole = { catalogue: true, clientName: true, test: false, feeCents: 250, gstPercent: 10 }

/** Templates in each set-up the document names: two live, one in test mode, three unfinished. */
export const seedTemplates: readonly CardTemplate[] = [
  {
    ...whole,
    id: "card_tradevisa",
    name: "Trade Visa",
    denominations: [25, 50, 100, 250, 500, 1000],
    produced: [25, 50, 100, 250, 500],
  },
  {
    ...whole,
    id: "card_bunnings",
    name: "Bunnings",
    denominations: [25, 50, 100],
    produced: [25, 50, 100],
    feeCents: 0,
  },
  {
    ...whole,
    id: "card_testmode",
    name: "Trade Visa (test)",
    denominations: [25, 50],
    produced: [25, 50],
    test: true,
  },
  {
    ...whole,
    id: "card_nocatalogue",
    name: "Spring thank-you",
    denominations: [50],
    produced: [50],
    catalogue: false,
  },
  { ...whole, id: "card_nopictures", name: "Safety week", denominations: [50, 100], produced: [] },
  {
    ...whole,
    id: "card_noclient",
    name: "Regional launch",
    denominations: [50],
    produced: [50],
    clientName: false,
  },
]
