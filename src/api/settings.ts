import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { programSettings, type ProgramSettings } from "../../contract/desk/settings.ts"
import { registerTopic } from "./events.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"
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
