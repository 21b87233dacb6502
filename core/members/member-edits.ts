import { isSameEmail } from "../../contract/email-address.ts"
import { restoreExact } from "../../contract/exact-json.ts"
import {
  type Member,
  memberMetadata,
  memberReader,
  updateMemberBody,
  type UpdateMemberBody,
} from "../../contract/program/member.ts"
import { rawValue } from "../../contract/reading.ts"
import type { Act } from "../audit/audit-log.ts"
import type { CoreContext } from "../context.ts"
import { AppError, conflict, invalid } from "../errors.ts"
import {
  refusesUnread,
  isFailureEnvelope,
  serviceRefusal,
  troubleFailure,
} from "../gateway/upstream-errors.ts"
import { redactData } from "../gateway/reads.ts"
import { isAboutRequested, memberPlan, permitWaitMs } from "../gateway/upstream-read.ts"
import { type ApiRequest, type ApiResponse, noContent, success } from "../http.ts"
import { memberLabel } from "../jobs/service-reads.ts"
import { fillPath, fillTag } from "../match.ts"
import { changesOf, isAtTarget, metadataDifferences, overlapping, ownValue } from "./member-changes.ts"
import { forgetAddresses } from "../orders/order-addresses.ts"
import { deleteMemberBody, type WriteOperation } from "../policy.ts"
import type { UpstreamResult } from "../ports.ts"
import { readBody } from "../validation.ts"

/** The careful sequence behind each write of the policy table. */
export const writeActs: Readonly<
  Record<WriteOperation["act"], (write: MemberWrite) => Promise<ApiResponse>>
> = { "member-update": updateMember, "member-delete": deleteMember }

/**
 * Changes a member. With `If-Match` (the `updated_at` the person saw), an edit that touches fields that others changed
 * since is refused with the record as it is now. Without a usable response it is read back. @throws AppError
 */
async function updateMember(write: MemberWrite): Promise<ApiResponse> {
  const requested = readBody(write.request.body, updateMemberBody)
  const id = write.params.member_id ?? ""
  const { clock, locks, reads } = write.context
  return locks.run(`member ${id}`, async () => {
    const before = await readForUpdate(write, id, requested)
    const patch = exactly(requested, before)
    const requestedAt = clock.monotonic()
    const act = { action: actionOf(patch), on: onMember(id, before), changes: changesOf(patch, before) }
    const end = await sendWrite(write, act, patch)
    const response = end.kind === "done" ? memberReader.read(end.data) : undefined
    if (response?.ok !== true || !isAboutRequested(write.operation, write.params, response.value)) {
      announceWrite(write, id)
      const unsure = end.kind === "unsure" ? end : undefined
      // Keys that it takes away may stay all the same: they prove nothing either way.
      const isSeen = (found: Member) => changesOf(patch, found).length < act.changes.length
      const isDone = (found: Member | undefined) =>
        found !== undefined && isAtTarget(patch, found) && (act.changes.length === 0 || isSeen(found))
      const saved = await reconcile(write, act, unsure, updateTexts, isDone)
      return responseOf(write, patch, saved ?? before)
    }
    reads.cacheWritten(memberPlan(id), response.value, requestedAt, rowsOf(response.value, patch))
    const by = write.request.header("x-laurel-tab")
    write.context.announce({ topic: "members", id, ...(by !== undefined && { by }) })
    let found: Member = response.value
    // Only the record shows how the service saved metadata; without a read the response is used.
    if (patch.metadata !== undefined) found = await readBack(write, id).catch(() => found)
    await recordWrite(write, { ...act, outcome: "done" })
    return responseOf(write, patch, found)
  })
}

/** The member before the edit; refused when the version the person saw is no longer what the service has. */
async function readForUpdate(write: MemberWrite, id: string, patch: UpdateMemberBody): Promise<Member> {
  const { context, request } = write
  const seenAt = request.header("if-match")?.replace(/^"(.*)"$/, "$1")
  const cached = memberReader.tolerant.safeParse(context.reads.cached(memberPlan(id))?.data).data
  const recent = seenAt === undefined ? undefined : context.reads.recent(memberPlan(id))
  const current =
    recent === undefined
      ? await readBefore(write, id, { fresh: seenAt !== undefined })
      : memberReader.tolerant.parse(recent.data)
  if (seenAt === undefined || seenAt === current.updated_at) return current
  const seen = cached?.updated_at === seenAt ? cached : context.versions.find(id, seenAt)
  const changed = overlapping(patch, seen, current)
  if (changed !== "unknown" && changed.length === 0) return current
  throw conflict(
    changed === "unknown"
      ? "This member changed since you opened it. Your change wasn’t sent. Review the latest version and decide."
      : `Someone changed ${changed.join(", ")} since you opened this member. Your change wasn’t sent. Review the latest version and decide.`,
    { current: redactData("member", request.user.role, current), ...(changed !== "unknown" && { changed }) },
  )
}

/**
 * The edit with every number of its metadata as the service has it: metadata goes out whole, and a browser rounds what
 * is above 2^53 (docs/open-points.md). @throws AppError 422
 */
function exactly(requested: UpdateMemberBody, before: Member): UpdateMemberBody {
  if (requested.metadata === undefined) return requested
  const odd = rawValue(before, "metadata")
  if (odd !== undefined && !(Array.isArray(odd) && odd.length === 0)) {
    throw refusedMetadata(
      ["metadata"],
      "The service sent this member’s custom fields in a form that can’t be edited here. Nothing was changed. Other fields can be edited.",
    )
  }
  const had = before.metadata ?? {}
  if (Object.hasOwn(had, "__proto__")) {
    throw refusedMetadata(
      ["metadata"],
      "The service keeps a custom field named __proto__, which can’t be edited here. Nothing was changed. Other fields can be edited.",
    )
  }
  const problems: string[] = []
  const metadata = Object.fromEntries(
    Object.entries(requested.metadata).map(([key, value]) => [
      key,
      restoreExact(value, ownValue(had, key), `metadata.${key}`, problems),
    ]),
  )
  if (problems.length > 0) {
    throw refusedMetadata(
      problems,
      "This number has too many digits to be kept exactly. Save it as text. Nothing was changed.",
    )
  }
  return { ...requested, metadata: memberMetadata.parse(metadata) }
}

/** An edit changes neither points nor the order of a list; `search` looks at names (docs/api/program.md, Members). */
function rowsOf(member: Member, { first_name, last_name, status }: UpdateMemberBody) {
  const isRenamed = first_name !== undefined || last_name !== undefined
  return {
    tag: "members",
    rowOf: (row: unknown) =>
      typeof row === "object" && row !== null && Reflect.get(row, "id") === member.id
        ? { ...row, ...member }
        : row,
    moved: [isRenamed && "search", status !== undefined && "status"].filter((name) => name !== false),
  }
}

function refusedMetadata(fields: readonly string[], message: string): AppError {
  return invalid(
    422,
    fields.map((field) => ({ field, message })),
  )
}

function actionOf(patch: UpdateMemberBody): Act["action"] {
  const alone = Object.keys(patch).length === 1
  if (alone && patch.status === "inactive") return "member.deactivate"
  if (alone && patch.status === "active") return "member.activate"
  return "member.update"
}

function responseOf({ request }: MemberWrite, patch: UpdateMemberBody, found: Member): ApiResponse {
  const data = redactData("member", request.user.role, found)
  const { missing, remaining } = metadataDifferences(patch.metadata, found.metadata)
  if (patch.metadata === undefined || missing.length + remaining.length === 0) return success(data)
  return success(data, { meta: { metadata_missing: missing, metadata_kept: remaining } })
}

/**
 * Deletes a member for good (docs/api/program.md, Members, rule 3), if the e-mail in the body is the one the service
 * has now. Without a usable response the member is read: gone is done. @throws AppError
 */
async function deleteMember(write: MemberWrite): Promise<ApiResponse> {
  const { email } = readBody(write.request.body, deleteMemberBody)
  const id = write.params.member_id ?? ""
  return write.context.locks.run(`member ${id}`, async () => {
    const member = await readBefore(write, id, { fresh: true })
    if (!isSameEmail(email, member.email)) {
      throw invalid(422, [
        { field: "email", message: "This isn’t the member’s e-mail. Nothing was deleted." },
      ])
    }
    const act = { on: onMember(id, member) }
    const end = await sendWrite(write, act)
    announceWrite(write, id)
    if (end.kind === "done") await recordWrite(write, { ...act, outcome: "done" })
    else await reconcile(write, act, end, deleteTexts, (found) => found === undefined)
    const { names, log, sync } = write.context
    sync?.members.deleted(id)
    await Promise.all([names.forget(id), forgetAddresses(write.context, write.request.user, id)]).catch(
      (error: unknown) => log.warn({ err: error }, "a name or an address could not be removed"),
    )
    return noContent
  })
}

/** Messages for a write without a usable response; `{time}` is when the record was read, `{why}` what came. */
type ReconcileTexts = Readonly<{ done: string; unknown: string; notDoneNote: string; notDone: string }>

const updateTexts: ReconcileTexts = {
  done: "No response came. A check shows the change was saved.",
  unknown:
    "The change got no response, and the member can’t be loaded right now, so it isn’t known whether it was saved. Open the member in a moment to check before you send it again.",
  notDoneNote: "Not saved as of {time}: {why}.",
  notDone:
    "The change wasn’t saved as of {time}: {why}, and the member is unchanged. Check again in a moment, then save again.",
}

const deleteTexts: ReconcileTexts = {
  done: "No response came. A check shows the member is gone.",
  unknown:
    "The deletion got no response, and the member can’t be loaded right now, so it isn’t known whether it was deleted. Open the member in a moment to check.",
  notDoneNote: "Not deleted as of {time}: {why}.",
  notDone:
    "The member wasn’t deleted as of {time}: {why}, and the member still exists. Check again in a moment before you retry.",
}

/** No usable response came: the record, undefined for none, shows whether it was done. @throws AppError unless so */
async function reconcile(
  write: MemberWrite,
  act: WriteEntry,
  end: Unsure | undefined,
  texts: ReconcileTexts,
  isDone: (found: Member | undefined) => boolean,
): Promise<Member | undefined> {
  const { api } = write.operation
  let found: Member | undefined
  try {
    found = await readBack(write, act.on.id)
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === "not_found"
    if (!isMissing || !isDone(undefined)) {
      const note = "No response, and it couldn’t be checked."
      await recordWrite(write, { ...act, outcome: "unknown", note })
      throw new AppError({ status: 504, code: "outcome_unknown", message: texts.unknown, details: { api } })
    }
  }
  if (isDone(found)) {
    await recordWrite(write, { ...act, outcome: "done", note: texts.done })
    return found
  }
  const { settings, clock } = write.context
  const { time_zone } = await settings.get("program")
  const time = new Date(clock.now()).toLocaleTimeString("en-AU", { timeZone: time_zone, hourCycle: "h23" })
  const why = end?.said === undefined ? "there was no usable response" : `the service answered “${end.said}”`
  const fill = (text: string) => text.replace("{time}", () => time).replace("{why}", () => why)
  await recordWrite(write, { ...act, outcome: "failed", note: fill(texts.notDoneNote) })
  const details = { api, ...(end?.status !== undefined && { upstream_status: end.status }) }
  throw new AppError({ status: 502, code: "refused_by_service", message: fill(texts.notDone), details })
}

interface MemberWrite {
  readonly context: CoreContext
  readonly request: ApiRequest
  readonly operation: WriteOperation
  readonly params: Readonly<Record<string, string>>
}

/** A write that may have been done: only the record can tell. `said` is the service's message under a success status. */
type Unsure = Readonly<{ kind: "unsure"; status: number | undefined; said?: string | undefined }>

/** What the log says of a write; its action follows from the operation unless it is named. */
type WriteEntry = Omit<Act, "action" | "outcome"> & Partial<Pick<Act, "action">>

/**
 * Sends the write once there is a permit; from then on it is seen through. A refusal is logged. @throws AppError when
 * it was definitely not done
 */
async function sendWrite(
  write: MemberWrite,
  entry: WriteEntry,
  body?: unknown,
): Promise<{ readonly kind: "done"; readonly data: unknown } | Unsure> {
  const { context, request, operation, params } = write
  const result = await context.caller.send({
    operation: operation.id,
    api: operation.api,
    method: operation.method,
    path: fillPath(operation.path, params),
    query: new URLSearchParams(),
    person: request.user,
    lane: "people",
    deadline: context.clock.monotonic() + permitWaitMs,
    signal: request.signal,
    ...(body !== undefined && { body }),
  })
  const end = endOf(operation, result)
  if (end.kind === "refused" || end.kind === "failed") {
    await recordWrite(write, { ...entry, outcome: end.kind, note: end.failure.message })
    if (end.failure.code === "not_found") announceWrite(write, entry.on.id)
    throw end.failure
  }
  return end
}

function endOf({ api, method }: WriteOperation, result: UpstreamResult) {
  if (result.kind === "not_sent") return { kind: "failed", failure: troubleFailure(api, result) } as const
  if (result.kind === "unreadable" && refusesUnread.has(result.status))
    return { kind: "refused", failure: serviceRefusal(api, result.status, undefined) } as const
  const status = result.kind === "no_answer" ? undefined : result.status
  if (result.kind !== "answer" || status === undefined) return { kind: "unsure", status } as const
  const { body } = result
  if (status >= 200 && status < 300) {
    if (isFailureEnvelope(body))
      return { kind: "unsure", status, said: serviceRefusal(api, status, body).message } as const
    // Only a 204 is documented to mean that the member is gone.
    if (method === "DELETE" && status !== 204) return { kind: "unsure", status } as const
    const data: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "data") : undefined
    return { kind: "done", data } as const
  }
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: "refused", failure: serviceRefusal(api, status, body) } as const
  return { kind: "unsure", status } as const
}

/** Reads a member before a write: whatever goes wrong, nothing was written. @throws AppError; the signal's reason */
async function readBefore(
  { context, request }: MemberWrite,
  id: string,
  { fresh }: { readonly fresh: boolean },
): Promise<Member> {
  const { user: person, signal } = request
  try {
    const { response } = await context.reads.read(memberPlan(id), { person, fresh, signal })
    return memberReader.tolerant.parse(response.data)
  } catch (error) {
    if (!(error instanceof AppError) || error.status < 500) throw error
    const { status, code, details, headers, message } = error
    const rest = { headers, ...(details !== undefined && { details }) }
    throw new AppError({ status, code, message: `${message} Nothing was changed.`, ...rest })
  }
}

/** Reads a member now, past the cache, also for a person who left. @throws AppError */
async function readBack({ context, request }: MemberWrite, id: string): Promise<Member> {
  const { response } = await context.reads.read(memberPlan(id), { person: request.user, fresh: true })
  return memberReader.tolerant.parse(response.data)
}

/** Writes the outcome into the log. What was done at the service stays done when the log cannot be written. */
async function recordWrite(
  { context, request, operation }: MemberWrite,
  entry: WriteEntry & Pick<Act, "outcome">,
): Promise<void> {
  await context.audit.recordLate(request, { action: operation.audit, ...entry })
}

/** Evicts the member: the response of this write does not contain it. */
function announceWrite({ context, operation, params }: MemberWrite, id: string): void {
  const fill = (tags: readonly string[]) => tags.map((tag) => fillTag(tag, params))
  const { evict, stale } = operation.invalidates
  context.reads.invalidate({ evict: fill(evict), stale: fill(stale) })
  context.events.publish({ topic: "member", id })
  context.events.publish({ topic: "members", id })
}

function onMember(id: string, member: Member): Act["on"] {
  return { kind: "member", id, label: memberLabel(member) }
}
