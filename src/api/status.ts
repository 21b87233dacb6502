import { queryOptions } from "@tanstack/react-query"
import { deskStatus } from "../../contract/desk/status.ts"
import { apiPath } from "./path.ts"
import { request } from "./request.ts"

/** How the services and the request budget are doing, measured on the desk's own calls: reading it costs none. */
export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: ({ signal }) => request({ path: apiPath("status"), schema: deskStatus, signal }),
  staleTime: 5000,
})
