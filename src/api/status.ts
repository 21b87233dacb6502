import { queryOptions } from "@tanstack/react-query"
import { deskStatus } from "../../contract/desk/status.ts"
import { registerTopic } from "./events.ts"
import { notBefore } from "./not-before.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

/** Events about the budget come with every request of the team; the status is read again this often at most, in ms. */
const gap = 3000

const key = ["status"]

/** How the services and the request budget are doing, measured on the desk's own calls: reading it costs none. */
export const statusQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal, client }) => {
    await notBefore((client.getQueryState(key)?.dataUpdatedAt ?? 0) + gap, signal)
    return request({ path: apiPath("status"), schema: deskStatus, signal })
  },
  staleTime: 5000,
})

registerTopic("status", key)
registerTopic("budget", key)
