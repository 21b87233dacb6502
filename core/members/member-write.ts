import type { AuditEntry } from "../../contract/audit.ts"
import { type Member, memberReader } from "../../contract/program/member.ts"
import { refusesUnread, saysFailed, serviceRefusal, troubleFailure } from "../gateway/outcome.ts"
import { type Act } from "../audit-log.ts"
import type { CoreContext } from "../context.ts"
import { AppError } from "../errors.ts"
import { permitWaitMs } from "../gateway/upstream-read.ts"
import type { ApiRequest } from "../http.ts"
import { memberPlan } from "./member-names.ts"
import { fillPath, fillTag } from "../match.ts"
import type { WriteOperation } from "../policy.ts"
import type { UpstreamOutcome } from "../ports.ts"

export interface MemberWrite {
  readonly context: CoreContext
  readonly request: ApiRequest
  readonly operation: WriteOperation
  readonly params: Readonly<Record<string, string>>
}

/** A write that may have been done: only the record can tell. `said` is the service's message beside a success status. */
export type Unsure = Readonly<{ kind: "unsure"; status: number | undefined; said?: string | undefined }>

/** What the log says of a write; its action follows from the operation unless it is named. */
export type WriteEntry = Omit<Act, "action" | "outcome"> & Partial<Pick<Act, "action">>

/**
 * Sends the write once there is a permit; from then on it is seen through. A refusal is logged; after everything else
 * the cached responses are stale. @throws AppError when it was definitely not done
 */
export async function sendWrite(
  write: MemberWrite,
  entry: WriteEntry,
  body?: unknown,
): Promise<{ readonly kind: "done"; readonly data: unknown } | Unsure> {
  const { context, request, operation, params } = write
  const outcome = await context.caller.send({
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
  const end = endOf(operation, outcome)
  if (end.kind === "refused" || end.kind === "failed") {
    await recordWrite(write, { ...entry, outcome: end.kind, note: end.failure.message })
    if (end.failure.code === "not_found") announceWrite(write, entry.on.id)
    throw end.failure
  }
  announceWrite(write, entry.on.id)
  return end
}

function endOf({ api }: WriteOperation, outcome: UpstreamOutcome) {
  if (outcome.kind === "not_sent") return { kind: "failed", failure: troubleFailure(api, outcome) } as const
  if (outcome.kind === "unreadable" && refusesUnread.has(outcome.status))
    return { kind: "refused", failure: serviceRefusal(api, outcome.status, undefined) } as const
  const status = outcome.kind === "no_answer" ? undefined : outcome.status
  if (outcome.kind !== "answer" || status === undefined) return { kind: "unsure", status } as const
  const { body } = outcome
  if (status >= 200 && status < 300) {
    if (saysFailed(body))
      return { kind: "unsure", status, said: serviceRefusal(api, status, body).message } as const
    const data: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "data") : undefined
    return { kind: "done", data } as const
  }
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: "refused", failure: serviceRefusal(api, status, body) } as const
  return { kind: "unsure", status } as const
}

/** Reads a member before a write: whatever goes wrong, nothing was written. @throws AppError; the signal's reason */
export async function readBefore(
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
export async function readBack({ context, request }: MemberWrite, id: string): Promise<Member> {
  const { response } = await context.reads.read(memberPlan(id), { person: request.user, fresh: true })
  return memberReader.tolerant.parse(response.data)
}

/** Writes the outcome into the log. What was done at the service stays done when the log cannot be written. */
export async function recordWrite(
  { context, request, operation }: MemberWrite,
  entry: WriteEntry & Pick<Act, "outcome">,
): Promise<void> {
  await context.audit.recordLate(request, { action: operation.audit, ...entry })
}

function announceWrite({ context, operation, params }: MemberWrite, id: string): void {
  const fill = (tags: readonly string[]) => tags.map((tag) => fillTag(tag, params))
  const { gone, old } = operation.invalidates
  context.reads.invalidate({ gone: fill(gone), old: fill(old) })
  context.events.publish({ topic: "member", id })
  context.events.publish({ topic: "members", id })
}

export function onMember(id: string, member: Member): AuditEntry["on"] {
  const name = [member.first_name, member.last_name].filter(Boolean).join(" ")
  return { kind: "member", id, label: name || (member.email ?? null) }
}
