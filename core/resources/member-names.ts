import { memberNamesBody } from "../../contract/member-names.ts"
import { success } from "../http.ts"
import { noQuery, readBody } from "../validation.ts"
import type { OwnHandler } from "../routes.ts"

/** `POST /api/members/names`: names as far as they are known now; the event `names` tells when there are more. */
export const postMemberNames: OwnHandler = async ({ names }, request) => {
  noQuery(request.search)
  const { ids } = readBody(request.body, memberNamesBody)
  return success(names.find(ids, request.user.role))
}
