import { centsOf, formatMoney } from "../../../lib/format.ts"

/** The drawer's title in every state. */
export const issueTitle = "Issue a gift card"

/** Said wherever a row did not become a card. */
export const notIssued = "No card was issued."

/**
 * The effect, as on the button and while it runs: "Issue a $50.00 card to Ana Silva".
 * @param dollars face value; NaN while none is chosen
 */
export function issueWords(dollars: number, whom: string, currency: string) {
  const amount = Number.isNaN(dollars) ? "" : `${formatMoney(centsOf(dollars), currency)} `
  const article = /^\D*8|^\D*1[18](?:\D|$)/.test(amount) ? "an" : "a"
  const to = whom === "" ? "" : ` to ${whom}`
  return { action: `Issue ${article} ${amount}card${to}`, running: `Issuing ${article} ${amount}card${to}` }
}
