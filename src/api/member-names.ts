import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { memberNames } from "../../contract/program/member.ts"
import { registerTopic } from "./events.ts"
import { apiPath, request } from "./request.ts"

const namesKey = ["member-names"] as const

registerTopic("names", namesKey)

/** Names of members as far as they are known. */
export interface KnownNames {
  /** Name by member id. */
  readonly names: ReadonlyMap<string, string>
  /** There are no members of these ids. */
  readonly missing: ReadonlySet<string>
}

/**
 * Names of at most 100 members. What the server knows costs nothing; what it does not know comes from requests that
 * nobody else needs, and the event `names` has this read again (docs/api/laurel.md, Members' names).
 */
export function memberNamesQuery(ids: readonly string[]) {
  const asked = [...new Set(ids)].filter((id) => id !== "").toSorted()
  return queryOptions({
    queryKey: [...namesKey, asked],
    queryFn: async ({ signal }): Promise<KnownNames> => {
      const path = apiPath("members", "names")
      const { data } = await request({
        method: "POST",
        path,
        body: { ids: asked },
        schema: memberNames,
        signal,
      })
      return {
        names: new Map(data.names.map(({ id, name }) => [id, name])),
        missing: new Set(data.missing),
      }
    },
    enabled: asked.length > 0,
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  })
}
