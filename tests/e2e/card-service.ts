import * as z from "zod"
import { demoKey } from "../../sandbox/config.ts"
import { effect, type Effect } from "../../sandbox/store/records.ts"

const ledger = z.object({ data: z.array(effect) })

/** A card in the sandbox's ledger. */
export type IssuedCard = Extract<Effect, { kind: "card" }>

/** Cards issued since the sandbox started, oldest first. */
export async function issuedCards(url: string): Promise<readonly IssuedCard[]> {
  const { data } = ledger.parse(await control(url, "GET", "ledger"))
  return data.filter((each) => each.kind === "card")
}

/** Sets the gift-card fund, in cents. */
export async function setFund(url: string, cents: number): Promise<void> {
  await control(url, "PUT", "fund", { cents })
}

async function control(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${url}/__sandbox/${path}`, {
    method,
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${demoKey}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}.`)
  return answer.json()
}
