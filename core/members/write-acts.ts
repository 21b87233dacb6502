import type { DeskAnswer } from "../http.ts"
import type { WriteAct } from "../policy.ts"
import { deleteMember } from "./delete-member.ts"
import type { MemberWrite } from "./member-write.ts"
import { updateMember } from "./update-member.ts"

/** The careful sequence behind each write of the policy table. */
export const writeActs: Readonly<Record<WriteAct, (write: MemberWrite) => Promise<DeskAnswer>>> = {
  "member-update": updateMember,
  "member-delete": deleteMember,
}
