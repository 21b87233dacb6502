import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import * as z from "zod/mini"
import { company, type CompanyListQuery, companyTotals } from "../../contract/companies.ts"
import { registerTopic } from "./events.ts"
import { membersKey } from "./members.ts"
import { useWrite } from "./paging.ts"
import { apiPath, request, responseQuery } from "./request.ts"

const companiesKey = ["companies"] as const

registerTopic("copy", companiesKey)
registerTopic("settings", companiesKey)

/** One page of companies, from the local copy of members. */
export function companiesQuery(query: CompanyListQuery, { fresh }: { readonly fresh?: boolean } = {}) {
  return queryOptions({
    queryKey: [...companiesKey, "page", query],
    queryFn: ({ signal }) =>
      request({ path: apiPath("companies"), query, schema: z.array(companyTotals), signal, fresh }),
    placeholderData: keepPreviousData,
  })
}

/** One company by any of its names. */
export function companyQuery(name: string) {
  return responseQuery([...companiesKey, "one", name], { path: ["companies", name], schema: company })
}

/** Merges a name into a company; null takes that back. */
export function useMergeCompany() {
  return useWrite(
    ({ name, into }: { name: string; into: string | null }) =>
      request({
        path: apiPath("companies", name, "merge"),
        schema: z.null(),
        ...(into === null ? { method: "DELETE" } : { method: "PUT", body: { into } }),
      }),
    async (client) => {
      // Lists filter by every name of a company.
      void client.invalidateQueries({ queryKey: membersKey })
      await client.invalidateQueries({ queryKey: companiesKey })
    },
  )
}
