import * as z from "zod/mini"
import { cardOrigins } from "../../contract/cards.ts"

const text = z.nullable(z.string())
const number = z.nullable(z.number())
const yes = z.nullable(z.boolean())

/** A card as it is kept. */
export const cardRecord = z.object({
  id: z.string(),
  origin: z.enum(cardOrigins),
  status: text,
  template: text,
  amountCents: number,
  reference: text,
  ownReference: text,
  memberId: text,
  email: text,
  name: text,
  memberCreated: yes,
  isTest: yes,
  issuedAt: number,
  expiresAt: number,
  job: z.nullable(z.object({ id: z.string(), row: z.number() })),
  by: z.object({ id: z.string(), name: z.string() }),
  replayed: yes,
  // Cards of an earlier version have none.
  message: z._default(text, null),
  lookedUpAt: number,
})
