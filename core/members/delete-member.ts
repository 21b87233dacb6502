import type { Member } from "../../contract/program/member.ts"
import { memberReader } from "../../contract/program/member.ts"
import { type DeskAnswer, noContent } from "../http.ts"
import type { Act } from "../audit-log.ts"
import { readBody } from "../validation.ts"
import { DeskFailure, invalid } from "../errors.ts"
import { deleteMemberBody } from "../policy.ts"
import {
  announceWrite,
  lookFirst,
  memberPlan,
  onMember,
  readBack,
  recordWrite,
  sendWrite,
  timeOfDay,
  unsureFailure,
  type MemberWrite,
  type Unsure,
} from "./member-write.ts"

/**
 * Deletes a member for good (docs/api/program.md, Members, rule 3), if the e-mail in the body is the one the service
 * has now. Without a usable answer the member is read: gone is done.
 * @throws DeskFailure
 */
export async function deleteMember(write: MemberWrite): Promise<DeskAnswer> {
  const { email } = readBody(write.request.body, deleteMemberBody)
  const id = write.params.member_id ?? ""
  return write.context.locks.run(`member ${id}`, async () => {
    const member = await readBefore(write, id)
    if (email.toLowerCase() !== (member.email ?? "").trim().toLowerCase()) {
      throw invalid(422, [
        { field: "email", message: "This isn’t the member’s e-mail. Nothing was deleted." },
      ])
    }
    const act = { on: onMember(id, member) }
    const end = await sendWrite(write)
    if (end.kind === "refused" || end.kind === "not_sent") {
      const outcome = end.kind === "refused" ? "refused" : "failed"
      await recordWrite(write, { ...act, outcome, note: end.failure.message })
      if (end.failure.code === "not_found") announceWrite(write, id)
      throw end.failure
    }
    announceWrite(write, id)
    if (end.kind === "unsure") await settle(write, act, end)
    else await recordWrite(write, { ...act, outcome: "done" })
    return noContent
  })
}

async function readBefore({ context, request }: MemberWrite, id: string): Promise<Member> {
  const { response } = await lookFirst(
    context.reads.read(memberPlan(id), { person: request.user, fresh: true, signal: request.signal }),
  )
  return memberReader.tolerant.parse(response.data)
}

/** No usable answer came: the record itself says whether it is gone. */
async function settle(write: MemberWrite, act: Pick<Act, "on">, { status, said }: Unsure): Promise<void> {
  try {
    await readBack(write, act.on.id)
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") {
      await recordWrite(write, {
        ...act,
        outcome: "done",
        note: "No response came. A check shows the member is gone.",
      })
      return
    }
    await recordWrite(write, {
      ...act,
      outcome: "unknown",
      note: "No response, and it couldn’t be checked.",
    })
    throw unsureFailure(
      write,
      "not-known",
      status,
      "The deletion got no response, and the member can’t be loaded right now, so it isn’t known whether it was deleted. Open the member in a moment to check.",
    )
  }
  const time = await timeOfDay(write.context)
  const why = said === undefined ? "there was no usable response" : `the service answered “${said}”`
  await recordWrite(write, {
    ...act,
    outcome: "failed",
    note: `Not deleted as of ${time}: ${why}.`,
  })
  throw unsureFailure(
    write,
    "not-done",
    status,
    `The member wasn’t deleted as of ${time}: ${why}, and the member still exists. Check again in a moment before you retry.`,
  )
}
