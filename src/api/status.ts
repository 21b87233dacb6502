import type { QueryClient } from "@tanstack/react-query"
import { copyStatus, type HeldKind, type HoldDecision } from "../../contract/copy.ts"
import type { Api } from "../../contract/response.ts"
import { appStatus, keyTest, serverStopped } from "../../contract/status.ts"
import { registerEventHandler, registerTopic } from "./events.ts"
import { useWrite } from "./paging.ts"
import { apiPath, request, requestData, responseQuery } from "./request.ts"

/** Minimum time between reads of the status, in ms: each request of the team causes a budget event. */
const gap = 3000

const key = ["status"]

/** State of the services and of the request budget, measured on Laurel's own calls. No upstream request. */
export const statusQuery = responseQuery(
  key,
  { path: ["status"], schema: appStatus, gap },
  { staleTime: 5000 },
)

registerTopic("status", key)
registerTopic("copy", key)
registerEventHandler("budget", (client) => {
  void client.invalidateQueries({ queryKey: key })
  return false
})

/** Decides what becomes of records that the local copy holds and the service no longer lists. */
export const useDecideHold = () =>
  useWrite(
    (body: { kind: HeldKind; decision: HoldDecision }) =>
      requestData({
        method: "POST",
        path: apiPath("status", "copy", "held"),
        body,
        schema: copyStatus,
      }),
    (client) => client.invalidateQueries({ queryKey: key }),
  )

/** States that a server is stopped. */
export const useStateStopped = () =>
  useWrite(
    (id: string) =>
      requestData({
        method: "POST",
        path: apiPath("status", "servers", id, "stopped"),
        schema: serverStopped,
      }),
    (client) => client.invalidateQueries({ queryKey: key }),
  )

/** Tests a service's key with one read of the shared budget. */
export const useTestKey = () =>
  useWrite(
    (api: Api) => requestData({ method: "POST", path: apiPath("status", api, "test"), schema: keyTest }),
    statusAfterTest,
  )

// Read directly: a fetch of the query waits for its minimum interval, and the event about the test's own request
// cancels it.
async function statusAfterTest(client: QueryClient): Promise<void> {
  const read = await request({ path: apiPath("status"), schema: appStatus }).catch(() => undefined)
  await client.cancelQueries({ queryKey: key })
  if (read === undefined) return client.invalidateQueries({ queryKey: key })
  client.setQueryData(statusQuery.queryKey, read)
}
