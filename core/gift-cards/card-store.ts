import type { CardFacets, CardListQuery, CardRecord } from "../../contract/cards.ts"
import { exactText } from "../../contract/typed-text.ts"
import type { RowRecord } from "../jobs/job-store.ts"
import type { CardReports } from "../reports/report-store.ts"

/** A reference as it is compared with others, without invisible characters. */
export const comparedReference = exactText

/** The text in which a card is searched, in lower case, one thing in each line. */
export function cardSearchText({ id, member, reference, own_reference }: CardRecord): string {
  return [id, member.email, member.name, reference, own_reference, member.id]
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

/** A page of the register; `now`, in ms since 1970, is what `expiring_days` counts from. */
export type CardQuery = CardListQuery & {
  readonly page: number
  readonly per_page: number
  readonly now: number
}

/** The register of cards. The same rules hold for SQLite and PostgreSQL (`tests/store/card-suite.ts`). */
export interface CardStore extends CardReports {
  /** One that is there stays, unless it was adopted and its row comes now. Says whether anything changed. */
  add(card: CardRecord): Promise<boolean>
  get(id: string): Promise<CardRecord | undefined>
  /** Cards of a template that have one of these references, as sent or as a person gave it, by `comparedReference`. */
  ofReferences(template: string, references: readonly string[]): Promise<CardRecord[]>
  list(query: CardQuery): Promise<{ readonly cards: CardRecord[]; readonly total: number }>
  /** Keeps what a lookup showed; undefined when the card is not in the register. */
  update(id: string, shown: (card: CardRecord) => CardRecord): Promise<CardRecord | undefined>
  facets(): Promise<CardFacets>
  /** Live cards issued from here since a time. */
  issuedSince(at: number): Promise<{ readonly cards: number; readonly amountCents: number }>
  /** Rows, of one job only with `jobId`, that issued a card which is not in the register as theirs. */
  missing(limit: number, jobId?: string): Promise<RowRecord[]>
}
