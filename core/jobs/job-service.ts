import type { EarlierRows } from "../../contract/earlier-awards.ts"
import type {
  AddRowsBody,
  ControlJobBody,
  CreateJobBody,
  EditRowsBody,
  ExcludeRowsBody,
  ReleaseJobBody,
  RepeatsBody,
  RetryJobBody,
  Reversal,
  ReverseJobBody,
  StartJobBody,
} from "../../contract/job.ts"
import type {
  DecisionBody,
  GroupDecisionResult,
  GroupDecisionBody,
  RowEvidence,
} from "../../contract/job-rows.ts"
import type { AppUser } from "../../contract/users.ts"
import type { ActContext } from "../audit/audit-log.ts"
import type { JobRecord, MadeJob, RowRecord } from "./job-store.ts"

export type Evidence = Omit<RowEvidence, "row"> & { readonly row: RowRecord }

/** A person's action on a job. */
export type JobAction<Body> = (requester: ActContext, id: string, body: Body) => Promise<JobRecord>

/**
 * The job engine's interface for resources, which check permissions first (core/jobs/job-routes.ts). All methods throw
 * AppError: 404, 409 `conflict` for a state that does not allow the action, 422 with fields such as `rows.3.points`.
 */
export interface Jobs {
  /**
   * Creates and, unless it is a draft, starts a job, or adds a row to the requester's open job. The same key and body
   * return the same job and row (`made: false`); another body 422.
   */
  create(requester: ActContext, body: CreateJobBody, key: string): Promise<MadeJob>
  /** Closes a user's open job: it ends with its rows. */
  closeOpen(userId: string): Promise<void>
  readonly append: JobAction<AddRowsBody>
  repeats(body: RepeatsBody): Promise<EarlierRows[]>
  readonly start: JobAction<StartJobBody>
  readonly pause: JobAction<ControlJobBody>
  /** Also "Send now" for a row that could not be sent in time. */
  readonly resume: JobAction<ControlJobBody>
  /** Sent rows are finished, the rest stays planned. */
  readonly cancel: JobAction<ControlJobBody>
  /** Excludes the rows that wait for a reversal. */
  readonly excludeAwaiting: JobAction<ControlJobBody>
  readonly release: JobAction<ReleaseJobBody>
  readonly retry: JobAction<RetryJobBody>
  /** Excludes failed rows that will not be sent. */
  readonly excludeFailed: JobAction<ExcludeRowsBody>
  readonly edit: JobAction<EditRowsBody>
  reversal(requester: ActContext, id: string, check: boolean): Promise<Reversal>
  reverse(
    requester: ActContext,
    id: string,
    body: ReverseJobBody,
    key: string | undefined,
  ): Promise<JobRecord>
  evidence(requester: ActContext, id: string, row: number): Promise<Evidence>
  decide(requester: ActContext, id: string, row: number, decision: DecisionBody): Promise<RowRecord>
  decideGroup(
    requester: ActContext,
    id: string,
    body: GroupDecisionBody,
  ): Promise<Omit<GroupDecisionResult, "job"> & { readonly job: JobRecord }>
  /** Pauses the running jobs of a user who was disabled or lost the permission. Returns the paused jobs. */
  pauseUserJobs(requester: ActContext, user: AppUser): Promise<readonly JobRecord[]>
  /** Starts processing jobs, including those of earlier processes. */
  run(): void
  /** Waits for calls in flight, stores their outcomes and releases all leases. */
  stop(): Promise<void>
}
