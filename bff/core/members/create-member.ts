import {
  createMemberBody,
  memberReader,
  type CreateMemberBody,
  type Member,
} from "../../../contract/program/member.ts"
import { success } from "../answer.ts"
import { auditText, type Act } from "../audit-log.ts"
import { readBody } from "../body.ts"
import { DeskFailure } from "../failure.ts"
import { redactData } from "../gateway/render.ts"
import type { DeskAnswer } from "../http.ts"
import { findByEmail } from "./find-by-email.ts"
import {
  announceWrite,
  lookFirst,
  memberPlan,
  onMember,
  recordWrite,
  sendWrite,
  unsureFailure,
  type MemberWrite,
} from "./member-write.ts"

/** A member that was not there at the first look may appear late: the second look comes after this, in ms. */
const secondLookMs = 2000

/**
 * Creates a member, if nobody has the e-mail yet: the service names no rule about that, so the desk looks first. One
 * at a time for each e-mail. Without a usable answer the e-mail is looked up again before anything is said.
 * @throws DeskFailure
 */
export async function createMember(write: MemberWrite): Promise<DeskAnswer> {
  const body = readBody(write.request.body, createMemberBody)
  const { context, request } = write
  return context.locks.run(`email ${body.email.toLowerCase()}`, async () => {
    const [there] = await lookFirst(findByEmail(context, request.user, body.email, request.signal))
    if (there !== undefined) throw alreadyMember(there)
    const askedAt = context.clock.monotonic()
    const end = await sendWrite(write, body)
    if (end.kind === "refused" || end.kind === "not_sent") {
      const outcome = end.kind === "refused" ? "refused" : "failed"
      await recordWrite(write, { ...actOf(body, undefined), outcome, note: end.failure.message })
      throw end.failure
    }
    const answered = end.kind === "done" ? memberReader.read(end.data) : undefined
    if (answered?.ok !== true || !hasEmail(answered.value, body.email)) {
      announceWrite(write)
      return settle(write, body)
    }
    announceWrite(write, answered.value.id)
    context.reads.put(memberPlan(answered.value.id), answered.value, {
      askedAt,
      answeredAt: context.clock.monotonic(),
      at: context.clock.now(),
    })
    await recordWrite(write, { ...actOf(body, answered.value), outcome: "done" })
    return created(write, answered.value)
  })
}

/** No usable answer came: the e-mail is looked up, and once more for a member that appears late. */
async function settle(write: MemberWrite, body: CreateMemberBody): Promise<DeskAnswer> {
  let found: Member[]
  try {
    found = await lookTwice(write, body.email)
  } catch {
    throw await notKnown(write, body, "and the service cannot be searched right now")
  }
  const [member] = found
  if (member === undefined) throw await notKnown(write, body, "and no member has this e-mail yet")
  if (found.length > 1) {
    await recordWrite(write, {
      ...actOf(body, undefined),
      outcome: "unknown",
      note: "Several members have this e-mail.",
    })
    throw new DeskFailure({
      status: 409,
      code: "conflict",
      message: `No answer came, and ${found.length} members have this e-mail now. Look at them before you do anything else.`,
      details: { member_ids: found.map((one) => one.id) },
    })
  }
  announceWrite(write, member.id)
  await recordWrite(write, {
    ...actOf(body, member),
    outcome: "done",
    note: "No answer came; looked up, the member is there.",
  })
  return created(write, member)
}

async function lookTwice({ context, request }: MemberWrite, email: string): Promise<Member[]> {
  const first = await findByEmail(context, request.user, email)
  if (first.length > 0) return first
  await context.clock.sleep(secondLookMs)
  return findByEmail(context, request.user, email)
}

async function notKnown(write: MemberWrite, body: CreateMemberBody, why: string): Promise<DeskFailure> {
  await recordWrite(write, { ...actOf(body, undefined), outcome: "unknown", note: `No answer came, ${why}.` })
  return unsureFailure(
    write,
    "not-known",
    undefined,
    `No answer came, ${why}. Whether the member was created is not known. Search for the e-mail in a minute before you create it again.`,
  )
}

function alreadyMember(member: Member): DeskFailure {
  const name = [member.first_name, member.last_name].filter(Boolean).join(" ")
  return new DeskFailure({
    status: 409,
    code: "conflict",
    message: `This e-mail is already a member${name === "" ? "" : `: ${name}`}. Nothing was created.`,
    details: { member_id: member.id, fields: [{ field: "email", message: "Already a member." }] },
  })
}

function actOf(body: CreateMemberBody, member: Member | undefined): Omit<Act, "outcome" | "action"> {
  return {
    on: onMember(member?.id ?? "", member ?? body),
    changes: Object.entries(body).map(([field, value]) => ({ field, from: null, to: auditText(value) })),
  }
}

function created({ request, operation }: MemberWrite, member: Member): DeskAnswer {
  return success(redactData(operation.redacts, request.user.role, member), { status: 201 })
}

function hasEmail(member: Member, email: string): boolean {
  return member.email?.trim().toLowerCase() === email.toLowerCase()
}
