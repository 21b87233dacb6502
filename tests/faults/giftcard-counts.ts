import type { RegisteredCard } from "../../contract/cards.ts"
import type { JobRow } from "../../contract/job-rows.ts"
import type { Sandbox } from "../../sandbox/app.ts"

/** Bodies of issue requests by idempotency key. */
export type SentBodies = ReadonlyMap<string, ReadonlySet<string>>

/** Compares a run of cards with the service's ledger: a sentence for each mistake. */
export function giftcardMistakes(
  sandbox: Sandbox,
  rows: readonly JobRow[],
  register: readonly RegisteredCard[],
  sent: SentBodies,
  fundBefore: number,
): string[] {
  const truth = sandbox.store.ledger.flatMap((effect) => (effect.kind === "card" ? [effect] : []))
  const byId = new Map(truth.map((card) => [card.id, card]))
  const mistakes: string[] = []
  const claimed = new Set<string>()
  const carried = rows.filter((one) => !isRightlyRefused(sandbox, rows, one))
  for (const { row, state, input, upstream_id } of carried) {
    const card = byId.get(upstream_id ?? "")
    const own = input["externalRef"]
    if (state !== "confirmed") mistakes.push(`row ${row} is ${state}`)
    else if (card === undefined) mistakes.push(`L: row ${row} has ${upstream_id}, which is not there`)
    else if (claimed.has(card.id)) mistakes.push(`L: ${card.id} confirms two rows`)
    else if (card.amount !== input["denomination"] || card.cardId !== input["cardId"])
      mistakes.push(`L: row ${row} has ${card.id}, which is another card`)
    else if (own !== undefined && card.externalRef !== own)
      mistakes.push(`row ${row} asked for the reference ${JSON.stringify(own)} and got ${card.externalRef}`)
    else claimed.add(card.id)
  }
  for (const { id } of truth) if (!claimed.has(id)) mistakes.push(`D or P: ${id} was issued without a row`)
  if (truth.length !== carried.length)
    mistakes.push(`${truth.length} cards were issued for ${carried.length} rows`)
  for (const [reference, cards] of Map.groupBy(truth, (card) => `${card.externalRef} of ${card.cardId}`))
    if (cards.length > 1) mistakes.push(`D: ${cards.length} cards have the reference ${reference}`)

  const cents = (dollars: readonly unknown[]) =>
    dollars.reduce<number>((sum, one) => sum + Number(one) * 100, 0)
  const requested = cents(carried.map(({ input }) => input["denomination"]))
  const issued = cents(truth.map(({ amount }) => amount))
  const entered = register.reduce((sum, card) => sum + (card.amount_cents ?? 0), 0)
  if (requested !== issued || issued !== entered)
    mistakes.push(`asked for ${requested} cents, issued ${issued}, the register has ${entered}`)
  const drawn = truth.reduce((sum, card) => sum + card.drawnCents, 0)
  if (fundBefore - sandbox.store.fundCents !== drawn)
    mistakes.push("the fund lost another sum than was drawn")

  const mails = sandbox.store.cards.outbox.length
  if (mails !== truth.length) mistakes.push(`${mails} e-mails for ${truth.length} cards`)
  for (const [key, bodies] of sent)
    if (bodies.size > 1) mistakes.push(`${key} was sent with ${bodies.size} bodies`)

  const ids = new Set(register.map(({ id }) => id))
  for (const id of byId.keys()) if (!ids.has(id)) mistakes.push(`${id} is not in the register`)
  if (register.length !== truth.length) mistakes.push(`the register has ${register.length} cards`)
  for (const card of register) if (card.job === null) mistakes.push(`${card.id} has no row in the register`)
  return mistakes
}

/**
 * Whether the row's reference already has a card of its template: another row's, or an earlier one that only the
 * service knew.
 */
function isRightlyRefused(
  sandbox: Sandbox,
  rows: readonly JobRow[],
  { state, input, outcome }: JobRow,
): boolean {
  const { externalRef, cardId } = input
  if (state === "failed" && outcome?.code === "reference_taken") {
    return rows.some(
      (other) =>
        other.state === "confirmed" &&
        other.input["externalRef"] === externalRef &&
        other.input["cardId"] === cardId,
    )
  }
  if (state !== "conflict" || outcome?.code !== "earlier_card") return false
  const [earlier] = sandbox.store.cards.withRef(String(externalRef), String(cardId))
  return earlier !== undefined && outcome.message.startsWith(`${earlier.id}: `)
}
