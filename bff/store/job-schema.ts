import type { Generated } from "kysely"
import type { RowState } from "../../contract/job.ts"

/**
 * Jobs. What follows from a job's rows is kept with it, changed in the transaction that changes the rows. Times in ms
 * since 1970, yes and no as 1 and 0.
 */
export interface JobTable extends Readonly<Record<RowState, number>> {
  /** The id is `J-` and this. */
  readonly number: Generated<number>
  readonly kind: string
  readonly title: string | null
  readonly state: string
  readonly pause_code: string | null
  readonly pause_message: string | null
  readonly prepared: number
  readonly batch_code: string
  readonly created_at: number
  readonly created_by: string
  readonly created_by_name: string
  readonly created_by_role: string
  readonly request_key: string | null
  readonly request_hash: string | null
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly mode: string | null
  readonly bulk_size: number
  readonly lane: string
  readonly marked: number
  readonly file_name: string | null
  readonly file_fingerprint: string | null
  /** Rows that repeat earlier ones and are sent all the same; null: rows are not compared. */
  readonly repeats: number | null
  /** Number of the job that this one takes back. */
  readonly reverses: number | null
  /** Numbers of the jobs that take this one back, each with a comma after it. */
  readonly reversed_by: string
  readonly total: number
  readonly attention: number
  /** Confirmed rows that are read again. */
  readonly rereads: number
  /** Watched effects that have not been seen yet. */
  readonly open_controls: number
  readonly points_total: number
  readonly points_confirmed: number
  /** What the rows move that did not fail, and the part that was not sent; in points or cents. */
  readonly amount: number
  readonly amount_planned: number
  /** The engine has something to do. */
  readonly busy: number
  readonly needs_person: number
  /** Active, or it needs somebody. */
  readonly open: number
  /** After a restore: `looking`, `ready` or `released`; null: never held. */
  readonly hold: string | null
  readonly held_sign: string | null
  readonly held_at: number | null
  readonly held_since: number | null
  /** Rows that were confirmed when it was held. */
  readonly held_confirmed: number | null
}

/** One line: how far this store has got, and the restore that was found last. */
interface StoreUseTable {
  readonly id: 1
  readonly epoch: string
  /** JSON. */
  readonly earlier: string
  readonly count: number
  readonly counted_at: number | null
  readonly sign: string | null
  readonly found_at: number | null
  readonly since: number | null
  readonly read: number
}

/** Rows of jobs. */
export interface JobRowTable {
  /** The job's number. */
  readonly job: number
  readonly row: number
  readonly state: string
  /** JSON. */
  readonly input: string
  readonly member_id: string | null
  readonly email: string | null
  readonly label: string | null
  /** Member id, e-mail and label in lower case. */
  readonly search: string
  readonly points: number | null
  readonly reason: string | null
  readonly reverses_job: number | null
  readonly reverses_row: number | null
  readonly ordinal: number | null
  readonly attempts: number
  readonly edits: number
  readonly owner: string | null
  readonly lease_until: number | null
  readonly first_sent_at: number | null
  readonly sent_at: number | null
  readonly ended_at: number | null
  readonly ended_how: string | null
  readonly body_hash: string | null
  readonly request: string | null
  readonly singly: number
  readonly doubtful: number
  readonly resends: number
  readonly next_at: number | null
  /** JSON. */
  readonly looks: string
  readonly outcome_code: string | null
  readonly outcome_message: string | null
  readonly upstream_id: string | null
  readonly confirmed_at: number | null
  readonly balance_after: number | null
  /** JSON. */
  readonly decision: string | null
  /** JSON. */
  readonly work: string | null
  /** When the row came to its end, confirmed or failed. */
  readonly closed_at: number | null
  /** Number in the file it came from. */
  readonly line: number | null
  /** What it does besides for whom. */
  readonly effect: string | null
  readonly effect_without_reference: string | null
  readonly is_repeat: number
}

/** One thing that belongs to one row. */
interface JobClaimTable {
  readonly scope: string
  readonly key: string
  readonly job: number
  readonly row: number
}

/** Effects whose appearance in the history is watched. */
export interface JobControlTable {
  readonly job: number
  readonly row: number
  readonly type: string
  readonly member_id: string
  readonly upstream_id: string
  readonly answered_at: number
  readonly seen_at: number | null
  readonly next_at: number | null
  readonly looks: number
  readonly void: number
}

/** Who may work on a job, and until when. */
interface JobLeaseTable {
  readonly job: number
  readonly owner: string
  readonly until_at: number
  readonly for_ms: number
}

/** Running processes of the desk. */
export interface InstanceTable {
  readonly id: string
  /** JSON. */
  readonly process: string
  readonly beat_at: number
  readonly stopped_at: number | null
}

/** The tables of jobs. */
export interface JobTables {
  readonly job: JobTable
  readonly job_row: JobRowTable
  readonly job_claim: JobClaimTable
  readonly job_control: JobControlTable
  readonly job_lease: JobLeaseTable
  readonly desk_instance: InstanceTable
  readonly store_use: StoreUseTable
}
