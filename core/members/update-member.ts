import {
  memberMetadata,
  memberReader,
  updateMemberBody,
  type Member,
  type UpdateMemberBody,
} from "../../contract/program/member.ts"
import { asSent } from "../../contract/reading.ts"
import { type DeskAnswer, success } from "../http.ts"
import type { Act } from "../audit-log.ts"
import { readBody } from "../validation.ts"
import { restoreExact } from "../../contract/exact-json.ts"
import { DeskFailure, invalid } from "../errors.ts"
import { redactData } from "../gateway/render.ts"
import { changesOf, isAtTarget, metadataDifferences, overlapping } from "./compare.ts"
import { ownValue } from "./same-value.ts"
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
 * Changes a member. With `If-Match` (the `updated_at` the person saw) it is read first, and an edit that touches what
 * somebody else changed since is refused with the record as it is now. An edit without a usable answer is read back
 * before anything is said.
 * @throws DeskFailure
 */
export async function updateMember(write: MemberWrite): Promise<DeskAnswer> {
  const asked = readBody(write.request.body, updateMemberBody)
  const id = write.params.member_id ?? ""
  return write.context.locks.run(`member ${id}`, async () => {
    const before = await readBefore(write, id, asked)
    const patch = exactly(asked, before)
    const { context } = write
    const askedAt = context.clock.monotonic()
    const end = await sendWrite(write, patch)
    const act: Omit<Act, "outcome"> = {
      action: actionOf(patch),
      on: onMember(id, before),
      changes: changesOf(patch, before),
    }
    if (end.kind === "refused" || end.kind === "not_sent") {
      const outcome = end.kind === "refused" ? "refused" : "failed"
      await recordWrite(write, { ...act, outcome, note: end.failure.message })
      if (end.failure.code === "not_found") announceWrite(write, id)
      throw end.failure
    }
    announceWrite(write, id)
    const answered = end.kind === "done" ? memberReader.read(end.data) : undefined
    if (answered?.ok !== true || answered.value.id !== id) {
      return settle(write, act, patch, end.kind === "unsure" ? end : undefined)
    }
    context.reads.put(memberPlan(id), answered.value, {
      askedAt,
      answeredAt: context.clock.monotonic(),
      at: context.clock.now(),
    })
    const found = patch.metadata === undefined ? answered.value : await verified(write, answered.value)
    await recordWrite(write, { ...act, outcome: "done" })
    return answerOf(write, patch, found)
  })
}

/**
 * The edit with every number of its metadata as the service has it: metadata goes out whole, and a browser rounds what is
 * above 2^53 (docs/decisions/0003-open-points.md).
 * @throws DeskFailure 422 for metadata that cannot be sent without altering what stands there
 */
function exactly(asked: UpdateMemberBody, before: Member): UpdateMemberBody {
  if (asked.metadata === undefined) return asked
  const odd = asSent(before, "metadata")
  if (odd !== undefined && !(Array.isArray(odd) && odd.length === 0)) {
    const message =
      "The service sent this member’s metadata in a form that can’t be edited here. Nothing was changed. Other fields can be edited."
    throw invalid(422, [{ field: "metadata", message }])
  }
  if (Object.hasOwn(before.metadata ?? {}, "__proto__")) {
    const message =
      "The service keeps a key named __proto__ in this member’s metadata, which can’t be edited here. Nothing was changed. Other fields can be edited."
    throw invalid(422, [{ field: "metadata", message }])
  }
  const problems: string[] = []
  const metadata = Object.fromEntries(
    Object.entries(asked.metadata).map(([key, value]) => [
      key,
      restoreExact(value, ownValue(before.metadata ?? {}, key), `metadata.${key}`, problems),
    ]),
  )
  if (problems.length > 0) {
    const message =
      "This number has too many digits to be kept exactly. Save it as text. Nothing was changed."
    throw invalid(
      422,
      problems.map((field) => ({ field, message })),
    )
  }
  return { ...asked, metadata: memberMetadata.parse(metadata) }
}

/** The member before the edit; refused when the person's form of it is no longer what stands there. */
async function readBefore(write: MemberWrite, id: string, patch: UpdateMemberBody): Promise<Member> {
  const { context, request } = write
  const plan = memberPlan(id)
  const seenAt = request.header("if-match")?.replace(/^"(.*)"$/, "$1")
  const held = memberReader.tolerant.safeParse(context.reads.cached(plan)?.data)
  const { response } = await lookFirst(
    context.reads.read(plan, {
      person: request.user,
      fresh: seenAt !== undefined,
      signal: request.signal,
    }),
  )
  const current = memberReader.tolerant.parse(response.data)
  if (seenAt === undefined || seenAt === current.updated_at) return current
  const seen = held.success && held.data.updated_at === seenAt ? held.data : context.versions.find(id, seenAt)
  const changed = overlapping(patch, seen, current)
  if (changed !== "unknown" && changed.length === 0) return current
  throw new DeskFailure({
    status: 409,
    code: "conflict",
    message:
      changed === "unknown"
        ? "This member changed since you opened it. Your change wasn’t sent. Review the latest version and decide."
        : `Someone changed ${changed.join(", ")} since you opened this member. Your change wasn’t sent. Review the latest version and decide.`,
    details: {
      current: redactData("member", request.user.role, current),
      ...(changed !== "unknown" && { changed }),
    },
  })
}

/** No usable answer came: the record itself says whether the change was made. */
async function settle(
  write: MemberWrite,
  act: Omit<Act, "outcome">,
  patch: UpdateMemberBody,
  end: Unsure | undefined,
): Promise<DeskAnswer> {
  const id = act.on.id
  let found: Member
  try {
    found = await readBack(write, id)
  } catch {
    const message =
      "The change got no response, and the member can’t be loaded right now, so it isn’t known whether it was saved. Open the member in a moment to check before you send it again."
    await recordWrite(write, {
      ...act,
      outcome: "unknown",
      note: "No response, and it couldn’t be checked.",
    })
    throw unsureFailure(write, "not-known", end?.status, message)
  }
  if (isAtTarget(patch, found)) {
    await recordWrite(write, {
      ...act,
      outcome: "done",
      note: "No response came. A check shows the change was saved.",
    })
    return answerOf(write, patch, found)
  }
  const time = await timeOfDay(write.context)
  const why = end?.said === undefined ? "there was no usable response" : `the service answered “${end.said}”`
  const message = `The change wasn’t saved as of ${time}: ${why}, and the member is unchanged. Check again in a moment, then save again.`
  await recordWrite(write, {
    ...act,
    outcome: "failed",
    note: `Not saved as of ${time}: ${why}.`,
  })
  throw unsureFailure(write, "not-done", end?.status, message)
}

/** The service's own copy after an edit of metadata; the answer itself when it cannot be read again now. */
async function verified(write: MemberWrite, answered: Member): Promise<Member> {
  try {
    return await readBack(write, answered.id)
  } catch {
    return answered
  }
}

function answerOf({ request, operation }: MemberWrite, patch: UpdateMemberBody, found: Member): DeskAnswer {
  const data = redactData(operation.redacts, request.user.role, found)
  const { missing, kept } = metadataDifferences(patch.metadata, found.metadata)
  if (patch.metadata === undefined || missing.length + kept.length === 0) return success(data)
  return success(data, { meta: { metadata_missing: missing, metadata_kept: kept } })
}

function actionOf(patch: UpdateMemberBody): Act["action"] {
  const alone = Object.keys(patch).length === 1
  if (alone && patch.status === "inactive") return "member.deactivate"
  if (alone && patch.status === "active") return "member.activate"
  return "member.update"
}
