import { memberNamesBody } from "../../contract/program/member.ts"
import type { Handler } from "../context.ts"
import { success } from "../http.ts"
import { readBody } from "../validation.ts"

/** `POST /api/members/names`: names as far as they are known now; the event `names` tells when there are more. */
export const postMemberNames: Handler = async ({ names }, request) => {
  const { ids } = readBody(request.body, memberNamesBody)
  return success(names.find(ids, request.user.role))
}
