import * as z from "zod/mini"
import { cardOrigins, type CardFacets, type CardOrigin } from "../../contract/cards.ts"
import type { RowRecord } from "../jobs/job-store.ts"

const text = z.nullable(z.string())
/** ms since 1970. */
const time = z.nullable(z.number())
const flag = z.nullable(z.boolean())

/** A card as the register keeps it. There is no place for a redeem link. */
export const cardRecord = z.object({
  id: z.string(),
  origin: z.enum(cardOrigins),
  /** As the service sent it last. */
  status: text,
  template: text,
  amountCents: z.nullable(z.number()),
  reference: text,
  /** A person's own reference where another one was sent. */
  ownReference: text,
  memberId: text,
  email: text,
  name: text,
  memberCreated: flag,
  isTest: flag,
  issuedAt: time,
  expiresAt: time,
  /** The row that issued it; null for a card that was issued elsewhere. */
  job: z.nullable(z.object({ id: z.string(), row: z.number() })),
  by: z.object({ id: z.string(), name: z.string() }),
  replayed: flag,
  /** Cards of an earlier version have none. */
  message: z._default(text, null),
  lookedUpAt: time,
})
export type CardRecord = Readonly<z.output<typeof cardRecord>>

/** What a lookup may change. */
export type CardLook = Pick<CardRecord, "lookedUpAt"> &
  Partial<
    Pick<
      CardRecord,
      "status" | "template" | "amountCents" | "reference" | "memberId" | "isTest" | "issuedAt" | "expiresAt"
    >
  >

/** The text in which a card is searched, in lower case, one thing in each line. */
export function cardSearchText(
  card: Pick<CardRecord, "id" | "email" | "name" | "reference" | "ownReference" | "memberId">,
): string {
  const { id, email, name, reference, ownReference, memberId } = card
  return [id, email, name, reference, ownReference, memberId]
    .flatMap((each) => each ?? [])
    .join("\n")
    .toLowerCase()
}

/** Whether a row of cards has issued one: it was confirmed, or a person linked the card to it. */
export function hasIssued({ state, upstreamId, decision }: RowRecord): boolean {
  if (upstreamId === null) return false
  const linked = (state === "absent" || state === "conflict") && decision?.decision === "happened"
  return state === "confirmed" || linked
}

export interface CardQuery {
  readonly search?: string | undefined
  readonly template?: string | undefined
  readonly status?: string | undefined
  readonly expires?: { readonly from: number; readonly to: number } | undefined
  readonly isTest?: boolean | undefined
  readonly origin?: CardOrigin | undefined
  readonly jobId?: string | undefined
  readonly by?: string | undefined
  readonly memberId?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly sort: "newest" | "expiring"
  readonly page: number
  readonly perPage: number
}

/** The register of cards. The same rules hold for memory, SQLite and PostgreSQL (`tests/store/card-suite.ts`). */
export interface CardStore {
  /** One that is there stays, unless it was adopted and its row comes now. Says whether anything changed. */
  add(card: CardRecord): Promise<boolean>
  get(id: string): Promise<CardRecord | undefined>
  /** Cards of a template that have one of these references, as sent or as a person gave it. */
  ofReferences(template: string, references: readonly string[]): Promise<CardRecord[]>
  list(query: CardQuery): Promise<{ readonly cards: CardRecord[]; readonly total: number }>
  /** Keeps what a lookup showed; undefined when the card is not in the register. */
  noteLook(id: string, look: CardLook): Promise<CardRecord | undefined>
  facets(): Promise<CardFacets>
  /** Live cards issued from here since a time. */
  issuedSince(at: number): Promise<{ readonly cards: number; readonly amountCents: number }>
  /** Rows, of one job only with `jobId`, that issued a card which is not in the register as theirs. */
  missing(limit: number, jobId?: string): Promise<RowRecord[]>
}
