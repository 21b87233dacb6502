import type { Context } from "hono"
import { Refusal } from "../refusal.ts"
import type { CallEnv } from "../world.ts"
import { unspecified } from "./refusals.ts"
import { lookupView } from "./views.ts"

/** GET /giftcard/cards/{id}: by issued card id, else by external reference (docs/api/giftcard.md, Look up a card). */
export function lookupCard(c: Context<CallEnv>, id: string): Response {
  const call = c.env
  const { cards } = call.world.store
  const byId = cards.get(id)
  if (byId !== undefined) return c.json({ data: lookupView(call, byId) })
  const found = cards.withRef(id, c.req.query("cardId") || undefined)
  if (found.length > 1) {
    const message = "Several cards have this externalRef; pass cardId"
    throw new Refusal(409, "AMBIGUOUS_EXTERNAL_REF", message)
  }
  const [card] = found
  if (card === undefined) {
    const { settings } = call.world
    throw unspecified(settings, settings.unknownCardStatus, "NOT_FOUND", "Card not found")
  }
  return c.json({ data: lookupView(call, card) })
}
