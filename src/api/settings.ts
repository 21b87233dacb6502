import type { QueryClient, QueryKey } from "@tanstack/react-query"
import type * as z from "zod/mini"
import { amountLimits, limitsToday } from "../../contract/amount-limits.ts"
import { pointsSettings, programSettings } from "../../contract/settings.ts"
import { registerTopic } from "./events.ts"
import { useWrite } from "./paging.ts"
import { apiPath, dataQuery, requestData } from "./request.ts"
import { sessionQuery } from "./session.ts"

registerTopic("settings", ["settings"])
// The session carries the program as well, for every page's dates and amounts.
registerTopic("settings", sessionQuery.queryKey)

/**
 * A document of settings, which everybody reads without a request to a service and administrators change. `useSave`
 * saves it as a whole; `useChange` makes it of what the server has right before, so that what somebody else has saved
 * since is kept. What `followers` name is read again then.
 */
export function setting<T>(name: string, schema: z.ZodMiniType<T>, followers: readonly QueryKey[] = []) {
  const path = apiPath("settings", name)
  const query = dataQuery(["settings", name], { path: ["settings", name], schema })
  const save = (body: T) => requestData({ method: "PUT", path, body, schema })
  const taken = async (client: QueryClient, saved: T) => {
    client.setQueryData<T>(query.queryKey, saved)
    await Promise.all(followers.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  return {
    query,
    useSave: () => useWrite(save, taken),
    useChange: <A>(change: (given: A, now: T) => T) =>
      useWrite(async (given: A) => save(change(given, await requestData({ path, schema }))), taken),
  }
}

/** The program's name, time zone, currency and country. Dates and amounts on every page follow at once. */
export const { query: programSettingsQuery, useSave: useSaveProgramSettings } = setting(
  "program",
  programSettings,
  [sessionQuery.queryKey],
)

/** How points are awarded: for jobs that are made from then on. */
export const { query: pointsSettingsQuery, useSave: useSavePointsSettings } = setting(
  "points",
  pointsSettings,
)

/** How much may be moved at once. */
export const { query: limitsQuery, useSave: useSaveLimits } = setting("limits", amountLimits)

/**
 * How much may be moved at once, and what the signed-in person started today. Under the key of the limits, so that it
 * is read again when they change; a job that this person makes or changes invalidates it too.
 */
export const limitsTodayQuery = dataQuery([...limitsQuery.queryKey, "today"], {
  path: ["limits"],
  schema: limitsToday,
})
