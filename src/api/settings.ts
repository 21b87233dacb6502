import type { QueryClient, QueryKey } from "@tanstack/react-query"
import type * as z from "zod/mini"
import { amountLimits, limitsToday } from "../../contract/amount-limits.ts"
import { pointsSettings, programSettings } from "../../contract/settings.ts"
import { registerTopic } from "./events.ts"
import { useWrite } from "./paging.ts"
import { apiPath, dataQuery, requestData } from "./request.ts"
import { sessionQuery } from "./session.ts"

registerTopic("settings", ["settings"])
// The session contains the program settings for every page's dates and amounts.
registerTopic("settings", sessionQuery.queryKey)

/**
 * A settings document: everyone can read it without an upstream request, administrators can change it. `useSave`
 * replaces it; `useChange` applies a change to the server's current version, so that others' changes are not lost.
 * Queries in `followers` are invalidated after a write.
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

/** The program's name, time zone, currency and country, applied to dates and amounts on every page. */
export const { query: programSettingsQuery, useSave: useSaveProgramSettings } = setting(
  "program",
  programSettings,
  [sessionQuery.queryKey],
)

/** How points are awarded; applies to jobs created from then on. */
export const { query: pointsSettingsQuery, useSave: useSavePointsSettings } = setting(
  "points",
  pointsSettings,
)

/** Limits for amounts per job and day. */
export const { query: limitsQuery, useSave: useSaveLimits } = setting("limits", amountLimits)

/**
 * The amount limits and what the signed-in user started today. Below the key of the limits, so that a change of the
 * limits invalidates it; jobs that this user creates or changes invalidate it too.
 */
export const limitsTodayQuery = dataQuery([...limitsQuery.queryKey, "today"], {
  path: ["limits"],
  schema: limitsToday,
})
