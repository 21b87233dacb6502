import { memberNamesBody } from "../../contract/program/member.ts"
import { route, type Route } from "../context.ts"
import { success } from "../http.ts"
import { countMembers, listMembers, listRecipients } from "./member-list.ts"
import { readBody } from "../validation.ts"

/** What Laurel adds to the service's own member paths, which are rows of the policy. */
export const memberRoutes: readonly Route[] = [
  route("GET /members", "members.read", ["people", "query"], listMembers),
  route("GET /members/facets", "members.read", ["query"], countMembers),
  route("GET /members/recipients", "points.write", ["people", "query"], listRecipients),
  route("POST /members/names", "members.read", [], async ({ names }, request) => {
    const { ids } = readBody(request.body, memberNamesBody)
    return success(await names.find(ids, request.user.role))
  }),
]
