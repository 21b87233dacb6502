import { moveKey, type ObservedMoves } from "../../../api/order-book.ts"
import { statusWord } from "../../../ui/status.tsx"

/**
 * What is known of moving orders to a status: none is forbidden, because the service documents no moves. Undefined where
 * each of them was taken here before, or where nobody could look.
 * @param from statuses the orders have now
 */
export function moveNote(
  from: readonly (string | null | undefined)[],
  to: string,
  moves: ObservedMoves | undefined,
): string | undefined {
  if (moves === undefined) return undefined
  const kinds = new Set(from.filter((status) => status && status.toLowerCase() !== to.toLowerCase()))
  const untried: string[] = []
  const refused: string[] = []
  for (const status of kinds) {
    const seen = status ? moves.get(moveKey(status, to)) : undefined
    if (!status || (seen !== undefined && seen.taken > 0)) continue
    const move = `${statusWord("order", status).word} → ${statusWord("order", to).word}`
    if (seen === undefined) untried.push(move)
    else refused.push(move)
  }
  const said = [
    untried.length > 0 &&
      `First time ${untried.join(", ")} is tried here; the service may refuse it.${to.toLowerCase() === "cancelled" ? " Points may not be returned." : ""}`,
    refused.length > 0 && `The service refused ${refused.join(", ")} before; it may refuse again.`,
  ].filter((text) => typeof text === "string")
  return said.length === 0 ? undefined : said.join(" ")
}
