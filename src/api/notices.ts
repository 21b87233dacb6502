import type { QueryClient } from "@tanstack/react-query"
import { type Notice, notices } from "../../contract/notices.ts"
import { useWrite } from "./paging.ts"
import { apiPath, requestData } from "./request.ts"
import { noticesPart, unreadQuery } from "./shell.ts"

// Apart from shell.ts, which the frame of every page reads: notices carry whole jobs and their schemas.

/** Notices about problems and about the user's finished jobs, including read ones. No upstream request. */
export const noticesQuery = noticesPart([], notices)

function taken(client: QueryClient, now: Notice[]): void {
  client.setQueryData(noticesQuery.queryKey, now)
  client.setQueryData(unreadQuery.queryKey, { unread: now.filter(({ read }) => !read).length })
}

/** Marks notices as read, on all devices of the user. */
export function useReadNotices() {
  const path = apiPath("notices", "read")
  return useWrite(
    (keys: readonly string[]) => requestData({ method: "PUT", path, body: { keys }, schema: notices }),
    taken,
  )
}

/** Dismisses a job's failed rows for all users, until further rows of it fail. */
export function useDismissFailures() {
  return useWrite(
    (jobId: string) =>
      requestData({ method: "POST", path: apiPath("jobs", jobId, "dismiss"), schema: notices }),
    taken,
  )
}
