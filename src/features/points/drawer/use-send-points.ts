import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { Job } from "../../../../contract/desk/job.ts"
import { createJob, takeJob } from "../../../api/job-writes.ts"
import { renewSubmissionKey, submissionKey } from "../../../form/submission-key.ts"
import type { PointsAct } from "../points-search.ts"
import { atFields } from "./at-fields.ts"
import { jobBodyOf, type PointsEntry } from "./points-model.ts"

/** What the drawer sends. */
interface Sending {
  readonly act: PointsAct
  readonly memberIds: readonly string[]
  readonly entry: PointsEntry
}

/**
 * Sends an award or a deduction as a job. The key was made with the draft and stays until the server took it, so
 * sending the same again after no answer came makes no second one.
 * @param keyName names the person, the act and the members
 */
export function useSendPoints(keyName: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ act, memberIds, entry }: Sending): Promise<Job> => {
      try {
        return await createJob({ body: jobBodyOf(act, memberIds, entry), key: submissionKey(keyName) })
      } catch (error) {
        throw atFields(error)
      }
    },
    onSuccess: (job) => {
      renewSubmissionKey(keyName)
      takeJob(queryClient, job)
    },
  })
}
