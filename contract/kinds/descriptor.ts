import type { Permission } from "../roles.ts"
import type { Api } from "../response.ts"

type WriteOperation = `${"POST" | "PATCH"} /${string}`

/** Everything that screens, files, the audit log and the server say about a kind of job besides how it is carried out. */
export interface JobKindDescriptor<Kind extends string = string, Action extends string = string> {
  readonly api: Api
  /** Needed before a job of this kind is made or anything of it is sent again: the same as for the single effect. */
  readonly permission: Permission
  /** Shows what jobs of this kind change. */
  readonly reads: Permission
  /** The audit log's entry of a single row. */
  readonly audit: { readonly action: Action; readonly label: string }
  /** Requests to the service that are only sent through jobs of this kind. */
  readonly operations: readonly WriteOperation[]
  /** Whether a row's points are added or taken away; absent for kinds without points. */
  readonly sign?: 1 | -1
  /** The service takes points for a row. */
  readonly costsPoints?: true
  /** What the limits on amounts count; absent for kinds without limits. */
  readonly limit?: "points" | "cents"
  /** Rows are reversed, and corrected to a smaller amount, by rows of this kind. */
  readonly reversedBy?: Kind
  /** A job is undone by a job of the same kind, whose rows restore the values from before. */
  readonly canUndo?: true
  /** Requests that one row takes when it goes singly. */
  readonly requestsPerRow: number
  /** A person's open job takes rows until the end of the day. */
  readonly staysOpen?: true
  readonly name: string
  /** In lower case: "1 redemption"; its plural takes an s. */
  readonly noun: string
  /** "Already awarded today". */
  readonly pastTense: string
  /** What a row is about, and is named by. */
  readonly subject: "member" | "order"
  /** What the service shows of a row that was carried out; `entry` is one of the ledger. */
  readonly record: "entry" | "member" | "order" | "card"
  readonly recordLabel: string
  /** Default true. */
  readonly showsBatchCode?: false
  /** Fields in which a row is corrected; `member_id` includes `email` where a row takes either. */
  readonly fields: Readonly<Record<string, string>>
  /** Those of `fields` that are nested in `member` of the input. */
  readonly recipientFields?: readonly string[]
  /** What a cell says to clear a field, where an empty cell leaves it as it is. */
  readonly clearWord?: string
  readonly resultFields: readonly string[]
  /** The only fields of a row's input that these roles see; the others see all. */
  readonly visibleInput: Readonly<Record<"fulfilment" | "viewer", "all" | readonly string[]>>
  readonly labels: {
    readonly title: string
    /** What needs the permission: "Awarding points". */
    readonly activity: string
    /** Message for people with `reads` alone. */
    readonly notAllowed: string
    readonly notDone: string
    readonly confirmed: string
    /** Where a row without a usable response is looked up: "in the ledger". */
    readonly lookup: string
    /** What shows that such a row happened: "the ledger". */
    readonly source: string
    readonly otherJob: string
    /** While rows are prepared; default "Checking the rows". */
    readonly preparing?: string
    /** Title of a pause after a refusal that is not documented; default "The service refused". */
    readonly refused?: string
  }
  /** What a person is asked who decides a row: `{who}` is whom it concerns, `{what}` its points. */
  readonly decision: { readonly question: string; readonly again: string; readonly resendRisk: string }
}
