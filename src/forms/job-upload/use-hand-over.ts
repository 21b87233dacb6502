import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import type { Job } from "../../../contract/job.ts"
import { takeJob } from "../../api/job-writes.ts"
import { limitsTodayQuery } from "../../api/settings.ts"
import { handOver, type HandOver } from "./hand-over.ts"

/** Hands rows over to the server, with how far it is. Leaving the page stops it; coming back goes on. */
export function useHandOver() {
  const queryClient = useQueryClient()
  const [done, setDone] = useState(0)
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const mutation = useMutation({
    mutationFn: (asked: Omit<HandOver, "signal" | "onProgress">): Promise<Job> => {
      stopping.current?.abort()
      const controller = new AbortController()
      stopping.current = controller
      return handOver({ ...asked, signal: controller.signal, onProgress: setDone })
    },
    onSuccess: (job) => takeJob(queryClient, job),
    // It may have been refused for a limit that the page did not know.
    onError: () => void queryClient.invalidateQueries({ queryKey: limitsTodayQuery.queryKey }),
  })
  return { start: mutation.mutateAsync, busy: mutation.isPending, error: mutation.error, done }
}
