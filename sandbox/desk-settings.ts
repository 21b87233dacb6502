import type { CardCosts, CardTemplates } from "../contract/cards.ts"
import { seedTemplates } from "./seed/templates.ts"

/**
 * What somebody who knows this sandbox would enter in the desk's settings: no endpoint lists templates, so a desk that
 * stands on the sandbox begins with them.
 */
export const deskCardSettings: { readonly cardTemplates: CardTemplates; readonly cardCosts: CardCosts } = {
  cardTemplates: {
    templates: seedTemplates.map(({ id, name, denominations }) => ({
      id,
      name,
      denominations: [...denominations],
    })),
    default: "card_tradevisa",
  },
  cardCosts: { fee_cents: 250, gst_percent: 10, fund_cents: null, fund_at: null },
}
