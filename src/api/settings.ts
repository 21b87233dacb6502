import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { amountLimits, type AmountLimits, limitsToday } from "../../contract/amount-limits.ts"
import {
  pointsSettings,
  type PointsSettings,
  programSettings,
  type ProgramSettings,
} from "../../contract/settings.ts"
import { registerTopic } from "./events.ts"
import { apiPath, request } from "./request.ts"
import { sessionQuery } from "./session.ts"

/** The program's name, time zone and currency. Everybody reads them. */
export const programSettingsQuery = queryOptions({
  queryKey: ["settings", "program"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("settings", "program"), schema: programSettings, signal })).data,
})

registerTopic("settings", programSettingsQuery.queryKey)
// The session carries the program as well, for every page's dates and amounts.
registerTopic("settings", sessionQuery.queryKey)

/** Saves the program's name, time zone and currency. Dates and amounts on every page follow at once. */
export function useSaveProgramSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: ProgramSettings): Promise<ProgramSettings> => {
      const path = apiPath("settings", "program")
      return (await request({ method: "PUT", path, body, schema: programSettings })).data
    },
    onSuccess: async (saved) => {
      queryClient.setQueryData(programSettingsQuery.queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
}

/** How points are awarded. Everybody reads it. */
export const pointsSettingsQuery = queryOptions({
  queryKey: ["settings", "points"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("settings", "points"), schema: pointsSettings, signal })).data,
})

registerTopic("settings", pointsSettingsQuery.queryKey)

/** Saves how points are awarded; administrators only. It holds for jobs that are made from then on. */
export function useSavePointsSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: PointsSettings): Promise<PointsSettings> => {
      const path = apiPath("settings", "points")
      return (await request({ method: "PUT", path, body, schema: pointsSettings })).data
    },
    onSuccess: (saved) => queryClient.setQueryData(pointsSettingsQuery.queryKey, saved),
  })
}

/** How much may be moved at once. Everybody reads it. */
export const limitsQuery = queryOptions({
  queryKey: ["settings", "limits"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("settings", "limits"), schema: amountLimits, signal })).data,
})

registerTopic("settings", limitsQuery.queryKey)

/**
 * How much may be moved at once, and what the signed-in person started today. Under the key of the limits, so that it
 * is read again when they change; a job that this person makes or changes invalidates it too.
 */
export const limitsTodayQuery = queryOptions({
  queryKey: [...limitsQuery.queryKey, "today"],
  queryFn: async ({ signal }) =>
    (await request({ path: apiPath("limits"), schema: limitsToday, signal })).data,
})

/** Saves how much may be moved at once; administrators only. It holds from then on. */
export function useSaveLimits() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: AmountLimits): Promise<AmountLimits> => {
      const path = apiPath("settings", "limits")
      return (await request({ method: "PUT", path, body, schema: amountLimits })).data
    },
    onSuccess: (saved) => queryClient.setQueryData(limitsQuery.queryKey, saved),
  })
}
