import type { CardPairs } from "../../contract/cards.ts"
import { giftcardRow } from "../../contract/job-rows.ts"
import { limits } from "../../contract/limits.ts"
import { readBody } from "../validation.ts"
import type { JobContext } from "../jobs/job-context.ts"
import type { RowRecord } from "../jobs/job-store.ts"

/** Only the newest are kept. */
const mostPairs = 1000

/**
 * Remembers what an answer showed about a template and an amount: a refusal of the amount is kept, so that it is not
 * asked for again; a card that was issued takes it back (docs/decisions/0009-gift-cards.md).
 */
export async function learnPair({ settings, time }: JobContext, row: RowRecord): Promise<void> {
  const issued = row.state === "confirmed"
  const refusal = row.outcome
  if (!issued && (refusal === null || row.state !== "failed" || !isAboutAmount(refusal))) return
  const { cardId = "", denomination } = readBody(row.input, giftcardRow)
  const { refused } = await settings.get("cardPairs")
  const others = refused.filter((pair) => pair.card_id !== cardId || pair.denomination !== denomination)
  if (issued) {
    if (others.length < refused.length) await settings.put("cardPairs", { refused: others })
    return
  }
  // Many rows of a file are refused alike: one of them is enough.
  if (refusal === null || others.length < refused.length) return
  const pair: CardPairs["refused"][number] = {
    card_id: cardId,
    denomination,
    code: refusal.code.slice(0, 100),
    message: refusal.message.slice(0, limits.reason),
    at: new Date(time.now()).toISOString(),
  }
  await settings.put("cardPairs", { refused: [...others, pair].slice(-mostPairs) })
}

/** `DENOMINATION_NOT_PRODUCED`, or a refusal of a field that names the denomination. */
function isAboutAmount({ code, message }: { readonly code: string; readonly message: string }): boolean {
  if (code === "DENOMINATION_NOT_PRODUCED") return true
  return (code === "INVALID_ARGUMENT" || code === "VALIDATION_ERROR") && /denomination/i.test(message)
}
