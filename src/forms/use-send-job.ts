import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { CreateJobBody, Job } from "../../contract/job.ts"
import { createJob, takeJob } from "../api/job-writes.ts"
import { limitsTodayQuery } from "../api/settings.ts"
import { atFormFields } from "./at-form-fields.ts"
import { isTakenBefore } from "./submission-note.tsx"
import { renewSubmissionKey, submissionKey } from "./submission-key.ts"

/**
 * Sends a form as a job of a few rows. The key is made with the form and stays until the server took it, so sending
 * the same again after no answer came makes no second one. What the server finds wrong is named by the form's fields.
 * @param keyName names the person, the form and what it is about
 */
export function useSendJob(keyName: string) {
  const queryClient = useQueryClient()
  useEffect(() => {
    // Before anything is sent: a tab copied from this one carries it too.
    submissionKey(keyName)
  }, [keyName])
  return useMutation({
    mutationFn: async (body: CreateJobBody): Promise<Job> => {
      try {
        return await createJob({ body, key: submissionKey(keyName) })
      } catch (error) {
        // The person is told; what they send after that is meant as another one.
        if (isTakenBefore(error)) renewSubmissionKey(keyName)
        throw atFormFields(error)
      }
    },
    onSuccess: (job) => {
      renewSubmissionKey(keyName)
      takeJob(queryClient, job)
    },
    // It may have been refused for a limit that the form did not know.
    onError: () => void queryClient.invalidateQueries({ queryKey: limitsTodayQuery.queryKey }),
  })
}
