import type { GiftcardRow } from "../../contract/kinds/giftcard.ts"
import type { Sandbox } from "../../sandbox/app.ts"
import { memberIds } from "./made-up-rows.ts"
import type { Random } from "./random.ts"

const amounts: Readonly<Record<string, readonly number[]>> = {
  card_tradevisa: [25, 50, 100, 250, 500],
  card_bunnings: [25, 50, 100],
  card_testmode: [25, 50],
}

/** Number of concurrent jobs with the same reference, each with two such rows. */
const submissions = 10

/**
 * Rows of concurrent jobs that all request the same reference, twice each; one also requests a reference whose card
 * only the service knows. All of them together issue one card.
 */
export function sameReferenceJobs(): GiftcardRow[][] {
  const member = { email: "same.reference@outback.example", firstname: "Same", lastname: "Reference" }
  const same = { member, denomination: 50, cardId: "card_tradevisa", externalRef: "SAME 1/ü#" }
  const elsewhere = { ...same, cardId: "card_bunnings", externalRef: "NPS-2291" }
  return Array.from({ length: submissions }, (_, at) => [same, same, ...(at === 0 ? [elsewhere] : [])])
}

/** Gift-card rows as in a file: for members and strangers, some with their own reference, some duplicated. */
export function giftcardRows(sandbox: Sandbox, count: number, random: Random): GiftcardRow[] {
  const ids = memberIds(sandbox, count)
  return Array.from({ length: count }, (_, at): GiftcardRow => {
    const member = sandbox.store.members.get(random.pick(ids))
    const known = random.next() < 0.7 ? member : undefined
    const cardId = random.pick(Object.keys(amounts))
    return {
      member: {
        email: known?.email ?? `stranger.${at}.${random.integer(1, 1e6)}@outback.example`,
        firstname: known?.first_name ?? "Noa",
        lastname: known?.last_name ?? `Stranger ${at}`,
      },
      denomination: random.pick(amounts[cardId] ?? [25]),
      cardId,
      ...(random.next() < 0.1 && { expiryDays: random.integer(30, 365) }),
      ...(random.next() < 0.1 && { externalRef: `OWN-${random.integer(1, 12)}` }),
    }
  })
}
