import { type QueryClient, queryOptions } from "@tanstack/react-query"
import * as z from "zod/mini"
import { notices, type Notice } from "../../contract/notices.ts"
import { registerTaker, registerTopic } from "./events.ts"
import { useWrite } from "./paging.ts"
import { apiPath, notBefore, requestData } from "./request.ts"

const key = ["notices"]

/** Jobs that ask for somebody tell of every step; the notices are read again this often at most, in ms. */
const gap = 3000

/** What needs attention and which of one's jobs are finished, with what was read: Laurel's own, no upstream request. */
export const noticesQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal, client }) => {
    await notBefore((client.getQueryState(key)?.dataUpdatedAt ?? 0) + gap, signal)
    return requestData({ path: apiPath("notices"), schema: notices, signal })
  },
  staleTime: 60_000,
  // No event says that a key was refused or that a stock ran low.
  refetchInterval: 5 * 60_000,
  refetchIntervalInBackground: true,
})

registerTopic("notices", key)
registerTopic("cards", key)
registerTopic("settings", key)

const jobStep = z.object({ state: z.string(), attention: z.int() })

registerTaker("job", (client, event) => {
  const step = jobStep.safeParse(event.job).data
  if (step !== undefined && (step.state !== "running" || step.attention > 0))
    void client.invalidateQueries({ queryKey: key })
  return false
})

const taken = (client: QueryClient, now: Notice[]) => client.setQueryData(noticesQuery.queryKey, now)

/** Marks notices as read, on all devices of the person. */
export function useReadNotices() {
  const path = apiPath("notices", "read")
  return useWrite(
    (keys: readonly string[]) => requestData({ method: "PUT", path, body: { keys }, schema: notices }),
    taken,
  )
}

/** Puts a job's failed rows away for everybody, until rows of it fail again. */
export function useDismissFailures() {
  return useWrite(
    (jobId: string) =>
      requestData({ method: "POST", path: apiPath("jobs", jobId, "dismiss"), schema: notices }),
    taken,
  )
}
