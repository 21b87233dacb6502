import type { EarlierRows } from "../../contract/earlier-awards.ts"
import type {
  AddRowsBody,
  ControlJobBody,
  CreateJobBody,
  EditRowsBody,
  LeaveOutBody,
  ReleaseJobBody,
  RepeatsBody,
  RetryJobBody,
  Reversal,
  ReverseJobBody,
  StartJobBody,
} from "../../contract/job.ts"
import type { DecisionBody, GroupDecided, GroupDecisionBody, RowEvidence } from "../../contract/job-rows.ts"
import type { AppUser } from "../../contract/users.ts"
import type { ActContext } from "../audit-log.ts"
import type { JobRecord, RowRecord } from "./job-store.ts"

export type Evidence = Omit<RowEvidence, "row"> & { readonly row: RowRecord }

/** Something a person does with a job. */
export type JobAction<Body> = (requester: ActContext, id: string, body: Body) => Promise<JobRecord>

/**
 * The money engine as resources use it; who may do what is decided before (core/resources/jobs.ts). All methods throw
 * AppError: 404, 409 `conflict` for a state that does not allow it, 422 with fields such as `rows.3.points`.
 */
export interface Jobs {
  /** Keeps a job and, unless it is a draft, starts it. The same key and body give the same job (`made: false`); another body 422. */
  create(requester: ActContext, body: CreateJobBody, key: string): Promise<{ job: JobRecord; made: boolean }>
  readonly append: JobAction<AddRowsBody>
  repeats(body: RepeatsBody): Promise<EarlierRows[]>
  readonly start: JobAction<StartJobBody>
  readonly pause: JobAction<ControlJobBody>
  /** Also "Send now" for a row that could not be sent in time. */
  readonly resume: JobAction<ControlJobBody>
  /** What was sent is finished, the rest stays planned. A draft is cancelled at once. */
  readonly cancel: JobAction<ControlJobBody>
  /** Leaves out the rows that wait for a reversal. */
  readonly excludeAwaiting: JobAction<ControlJobBody>
  readonly release: JobAction<ReleaseJobBody>
  readonly retry: JobAction<RetryJobBody>
  /** Settles failed rows that will not be sent. */
  readonly excludeFailed: JobAction<LeaveOutBody>
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
  ): Promise<Omit<GroupDecided, "job"> & { readonly job: JobRecord }>
  /** Pauses what runs in the name of a person who was disabled or may no longer do it. Gives the paused jobs. */
  pauseUserJobs(requester: ActContext, user: AppUser): Promise<readonly JobRecord[]>
  /** Carries jobs out from now on: those of earlier processes too. */
  run(): void
  /** Lets calls under way end, records them, and gives every lease back. */
  stop(): Promise<void>
}
