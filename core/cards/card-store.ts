import type { CardFacets, CardOrigin } from "../../contract/cards.ts"
import type { RowRecord } from "../jobs/job-store.ts"

/** A card as the register keeps it. Times in ms since 1970. There is no place for a redeem link. */
export interface CardRecord {
  /** Id of the issued card, UNIQUE. */
  readonly id: string
  readonly origin: CardOrigin
  /** As the service said last. */
  readonly status: string | null
  /** Id of the card template. */
  readonly template: string | null
  readonly amountCents: number | null
  /** The reference that was sent. */
  readonly reference: string | null
  /** A person's own reference where another one was sent. */
  readonly ownReference: string | null
  readonly memberId: string | null
  readonly email: string | null
  readonly name: string | null
  readonly memberCreated: boolean | null
  readonly isTest: boolean | null
  readonly issuedAt: number | null
  readonly expiresAt: number | null
  /** The row that issued it; null for a card that was issued elsewhere. */
  readonly job: { readonly id: string; readonly row: number } | null
  readonly by: { readonly id: string; readonly name: string }
  readonly replayed: boolean | null
  /** What the answer that confirmed it said in words. */
  readonly message: string | null
  readonly lookedUpAt: number | null
}

/** What a look-up may change. */
export type CardLook = Pick<CardRecord, "lookedUpAt"> &
  Partial<
    Pick<
      CardRecord,
      "status" | "template" | "amountCents" | "reference" | "memberId" | "isTest" | "issuedAt" | "expiresAt"
    >
  >

/** Filters of the register. */
export interface CardQuery {
  /** Part of e-mail, name, id, references or member id, upper and lower case alike. */
  readonly search?: string | undefined
  readonly template?: string | undefined
  readonly status?: string | undefined
  /** Expires in this span. */
  readonly expires?: { readonly from: number; readonly to: number } | undefined
  readonly isTest?: boolean | undefined
  readonly origin?: CardOrigin | undefined
  readonly jobId?: string | undefined
  /** Id of who issued or adopted it. */
  readonly by?: string | undefined
  readonly memberId?: string | undefined
  /** Issued from and to. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly sort: "newest" | "expiring"
  readonly page: number
  readonly perPage: number
}

/** The register of cards. The same rules hold for memory, SQLite and PostgreSQL (`bff/store/card-suite.ts`). */
export interface CardStore {
  /**
   * Adds a card. One that is there stays as it is, unless it was adopted and the row that issued it comes now: then it
   * gets that row's facts. Says whether anything changed.
   */
  add(card: CardRecord): Promise<boolean>
  get(id: string): Promise<CardRecord | undefined>
  /** Cards of a template that have one of these references, as it was sent or as a person had given it. */
  ofReferences(template: string, references: readonly string[]): Promise<CardRecord[]>
  /** A page and how many there are in all. */
  list(query: CardQuery): Promise<{ readonly cards: CardRecord[]; readonly total: number }>
  /** What a look-up showed; undefined when the card is not in the register. */
  noteLook(id: string, look: CardLook): Promise<CardRecord | undefined>
  facets(): Promise<CardFacets>
  /** Live cards issued from here since a time, and the sum of their amounts in cents. */
  issuedSince(at: number): Promise<{ readonly cards: number; readonly amountCents: number }>
  /**
   * Rows that issued a card which is not in the register as theirs: confirmed ones, and those a person linked a card to.
   * @param jobId of this job only
   */
  missing(limit: number, jobId?: string): Promise<RowRecord[]>
}
