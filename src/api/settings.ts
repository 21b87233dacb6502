import { type QueryKey, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import type * as z from "zod/mini"
import { amountLimits, limitsToday } from "../../contract/amount-limits.ts"
import { pointsSettings, programSettings } from "../../contract/settings.ts"
import { registerTopic } from "./events.ts"
import { apiPath, requestData } from "./request.ts"
import { sessionQuery } from "./session.ts"

registerTopic("settings", ["settings"])
// The session carries the program as well, for every page's dates and amounts.
registerTopic("settings", sessionQuery.queryKey)

/** A document of settings. Everybody reads it; it costs no request to a service. */
export function settingQuery<T>(name: string, schema: z.ZodMiniType<T>) {
  return queryOptions({
    queryKey: ["settings", name],
    queryFn: ({ signal }) => requestData({ path: apiPath("settings", name), schema, signal }),
  })
}

/** Saves a document of settings as a whole; administrators only. What follows from it is read again. */
export function useSaveSetting<T>(
  name: string,
  schema: z.ZodMiniType<T>,
  followers: readonly QueryKey[] = [],
) {
  return useChangeSetting(name, schema, (given: T) => given, followers)
}

/**
 * Saves a document of settings, made of what is given; where it is made of what the server has now (`read`), it is read
 * right before, so that what somebody else has saved since is kept.
 */
export function useChangeSetting<T, A>(
  name: string,
  schema: z.ZodMiniType<T>,
  change: (given: A, read: () => Promise<T>) => T | Promise<T>,
  followers: readonly QueryKey[] = [],
) {
  const client = useQueryClient()
  const path = apiPath("settings", name)
  return useMutation({
    mutationFn: async (given: A): Promise<T> => {
      const body = await change(given, () => requestData({ path, schema }))
      return requestData({ method: "PUT", path, body, schema })
    },
    onSuccess: async (saved) => {
      client.setQueryData(settingQuery(name, schema).queryKey, saved)
      await Promise.all(followers.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** The program's name, time zone and currency. */
export const programSettingsQuery = settingQuery("program", programSettings)

/** Saves them. Dates and amounts on every page follow at once. */
export const useSaveProgramSettings = () =>
  useSaveSetting("program", programSettings, [sessionQuery.queryKey])

/** How points are awarded: for jobs that are made from then on. */
export const pointsSettingsQuery = settingQuery("points", pointsSettings)
export const useSavePointsSettings = () => useSaveSetting("points", pointsSettings)

/** How much may be moved at once. */
export const limitsQuery = settingQuery("limits", amountLimits)
export const useSaveLimits = () => useSaveSetting("limits", amountLimits)

/**
 * How much may be moved at once, and what the signed-in person started today. Under the key of the limits, so that it
 * is read again when they change; a job that this person makes or changes invalidates it too.
 */
export const limitsTodayQuery = queryOptions({
  queryKey: [...limitsQuery.queryKey, "today"],
  queryFn: ({ signal }) => requestData({ path: apiPath("limits"), schema: limitsToday, signal }),
})
