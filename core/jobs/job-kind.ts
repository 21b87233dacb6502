import type { CardTemplates } from "../../contract/cards.ts"
import type { AuditChange } from "../../contract/audit.ts"
import type { RowOutcomeCode } from "../../contract/job-rows.ts"
import type { JobKind } from "../../contract/job.ts"
import type { Api } from "../../contract/status.ts"
import type { ServiceAnswer } from "./call-end.ts"
import type { JobContext } from "./job-context.ts"
import type { Claim, JobRecord, NewRow, RowRecord } from "./job-store.ts"

/** The request that carries a row out. */
export interface Effect {
  /** The operation's name in its document. */
  readonly operation: string
  readonly api: Api
  readonly method: "POST" | "PATCH"
  /** Already encoded. */
  readonly path: string
  readonly body: unknown
}

/** What an answer that names the row says about it. */
export interface Done {
  /** Id of what was made: it belongs to this row alone. */
  readonly upstreamId: string
  readonly balanceAfter: number | null
  /** What else of the answer is kept with the row, without secrets. */
  readonly work?: RowRecord["work"]
}

/** Something in the service's records that could be a row's effect. */
export interface Found {
  readonly upstreamId: string
  /** ms since 1970, the service's clock; undefined when it does not say. */
  readonly createdAt: number | undefined
  /** Signed. */
  readonly points: number | null
  readonly text: string | null
  readonly reference: string | null
  /** It carries the row's mark and amount: nothing but this row can have made it. */
  readonly marked: boolean
  /** It carries the row's mark, but another amount. */
  readonly otherAmount?: boolean
  /** Why it cannot be this row's effect, although it stands where that would: it is of another kind or amount. */
  readonly not?: "kind" | "amount" | undefined
  /** What stays with the row when it is confirmed by this. */
  readonly outcome?: RowRecord["outcome"]
  readonly work?: RowRecord["work"]
}

/** What the service's records show about a row. */
export type Look =
  /** `complete`: every row there is was seen; otherwise the look can find something, but never prove that it is not there. */
  | {
      readonly kind: "read"
      readonly found: readonly Found[]
      readonly complete: boolean
      /** What it shows can never become this row's: with these words it goes to a person at once. */
      readonly person?: {
        readonly code: RowOutcomeCode
        readonly message: string
        readonly work?: RowRecord["work"]
      }
      /** It was somebody else's doing before: the row fails with these words. */
      readonly refused?: { readonly code: string; readonly message: string }
    }
  /** What it should be on does not exist there, so nothing can have been done to it. */
  | { readonly kind: "no_record" }
  /**
   * It is neither as it was nor as the row wanted it: somebody else changed it (`changed_there`), unless `code` says
   * otherwise. `work` is kept beside the outcome.
   */
  | { readonly kind: "changed"; readonly code?: RowOutcomeCode; readonly work?: RowRecord["work"] }

/** What a look right before sending says. `work` is kept with the intent, or beside the outcome. */
export type Ready =
  | { readonly kind: "go"; readonly work?: RowRecord["work"] }
  /** It is so already: nothing is sent. */
  | { readonly kind: "done"; readonly done: Done }
  /** It would be refused, or must not be done without a person: nothing is sent. */
  | {
      readonly kind: "failed" | "conflict"
      readonly outcome: { readonly code: string; readonly message: string }
      readonly work?: RowRecord["work"]
    }

/**
 * What proves that an unknown row was not carried out: that nothing is found after settling (`settled`), or that the
 * same search finds later effects of ours besides (`control`).
 */
export type AbsenceProof = "settled" | "control"

/** What the settings say to new rows. */
export interface RowDefaults {
  /** Id of the card template of a row that names none. */
  readonly cardId?: string
  /** Card templates as they were entered: a row may name one by its name. */
  readonly templates?: CardTemplates["templates"]
}

/** One kind of job: what its rows are, how one is sent, read and found again. */
export interface KindRules {
  readonly kind: JobKind
  readonly api: Api
  /** What the settings say to rows of this kind, such as a default template. */
  readonly defaults?: (context: JobContext) => Promise<RowDefaults>
  /** Checks a row as it was asked and names what the store keeps of it. */
  readonly newRow: (input: unknown, defaults: RowDefaults) => NewRow
  /** Whether `points` of its rows are summed. */
  readonly hasPoints: boolean
  /**
   * Makes planned rows ready to be sent, such as finding members by e-mail. Called again after a crash: what is done
   * already is left alone.
   * @throws DeskFailure when the service or the store fails; the signal's reason
   */
  readonly prepare: (context: JobContext, job: JobRecord, signal: AbortSignal) => Promise<void>
  /**
   * What a row keeps of its work when a failed one is planned again, as it was or with a mended input, or a planned one is
   * edited; nothing where there is none.
   * @throws DeskFailure 422 for an input that must not be sent after what was
   */
  readonly again?: (row: RowRecord, mended: NewRow | undefined) => RowRecord["work"]
  /**
   * Looks right before the row is sent, such as at a balance. Nothing stands in the way where there is none.
   * @throws DeskFailure when it cannot be read now: the row stays planned
   */
  readonly ready?: (context: JobContext, job: JobRecord, row: RowRecord) => Promise<Ready>
  readonly effect: (job: JobRecord, row: RowRecord) => Effect
  /** Reads the `data` of a success; undefined when it does not name this row's effect. */
  readonly read: (data: unknown, row: RowRecord, sent: Effect, answer: ServiceAnswer) => Done | undefined
  /** Under which scope the id of an effect is claimed; undefined where several rows may change the same record. */
  readonly claimScope: string | undefined
  /** Held from preparation until the row ends, so that no other row does the same at the same time. */
  readonly hold?: (row: Pick<RowRecord, "email">) => Claim | undefined
  /** Held while the row is sent or unknown: the next row that wants it waits. */
  readonly holdWhileSent?: (row: RowRecord) => Claim | undefined
  /**
   * The service knows a repeat of the identical request: a row without a usable answer goes out again, with growing
   * pauses, instead of being looked up.
   */
  readonly repeats?: boolean
  /** Its preparation only reads, and what it needs for looking a row up, so it is done while a job is held too. */
  readonly preparesHeld?: boolean
  /** What a row has to keep so that it can be looked up although this store has never sent it. */
  readonly heldWork?: (job: JobRecord, row: RowRecord, since: number) => RowRecord["work"]
  /** Refusals that mean an earlier identical request is still being carried out. */
  readonly isInProgress?: (code: string) => boolean
  /** Refusals that say nothing about this row's own effect: they are looked up even after a first attempt. */
  readonly provesNothing?: (code: string) => boolean
  /**
   * Looks for the row's effect, fresh.
   * @param from only what is younger, ms since 1970 on the service's clock; undefined: everything
   * @throws DeskFailure when it cannot be read now
   */
  readonly look: (
    context: JobContext,
    job: JobRecord,
    row: RowRecord,
    from: number | undefined,
  ) => Promise<Look>
  /** Called when a row may have come to its end. Never rejects: what it does can be done later too. */
  readonly settled?: (context: JobContext, job: JobRecord, row: number) => Promise<void>
  readonly absence: AbsenceProof
  /** How often a proven absence is sent again by itself. */
  readonly resends: number
  /** What is said of a row that was proven not done and is left to a person; `left_to_person` where it is not said. */
  readonly leftAs?: RowOutcomeCode
  /** What is said when the record a row is about is not there; `not_found_there` where it is not said. */
  readonly missingAs?: RowOutcomeCode
  /** What is said when looks never came to an end; `history_lagging` where it is not said. */
  readonly unsureAs?: RowOutcomeCode
  /** What is said when a further effect of a row appears after it was sent again; `awarded_twice` otherwise. */
  readonly twiceAs?: RowOutcomeCode
  /** What the log says of a single row, besides member, points and reason. */
  readonly said?: (row: RowRecord) => readonly AuditChange[]
  /** Its answer may carry a digital code that the service shows only then: it is held for a moment for the maker. */
  readonly showsCode?: boolean
  /** Topics of the events that tell who is looking. */
  readonly tells: readonly ("members" | "orders")[]
  /** Copies that an effect makes old. */
  readonly invalidates: (row: RowRecord) => {
    readonly gone: readonly string[]
    readonly old: readonly string[]
  }
}
