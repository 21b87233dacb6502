import type { AuditEntry } from "../../contract/audit.ts"
import { saysFailed } from "../../contract/service-error.ts"
import { memberReader, type Member } from "../../contract/program/member.ts"
import { type Act, entryOf } from "../audit-log.ts"
import type { DeskContext } from "../context.ts"
import { DeskFailure } from "../errors.ts"
import { permitWaitMs, planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { refusesUnread, serviceRefusal, troubleFailure } from "../gateway/outcome.ts"
import type { DeskRequest } from "../http.ts"
import { fillPath, fillTag } from "../match.ts"
import type { WriteOperation } from "../policy.ts"
import type { UpstreamOutcome } from "../ports.ts"

/** How a write ended, as far as its own answer says. */
export type WriteEnd =
  | { readonly kind: "done"; readonly data: unknown }
  /** The service definitely did not do it. */
  | { readonly kind: "refused"; readonly failure: DeskFailure }
  /** It never left. */
  | { readonly kind: "not_sent"; readonly failure: DeskFailure }
  /** It may have been done: only the record can tell. `said` is the service's message beside a success status. */
  | Unsure

/** A write whose answer does not say how it ended. */
export interface Unsure {
  readonly kind: "unsure"
  readonly status: number | undefined
  readonly said?: string | undefined
}

/** One write on its way: who asks, for what, on which record. */
export interface MemberWrite {
  readonly context: DeskContext
  readonly request: DeskRequest
  readonly operation: WriteOperation
  readonly params: Readonly<Record<string, string>>
}

/**
 * Sends the write once a place is free. From then on it is seen through, whoever stops waiting for it.
 * @throws DeskFailure 503 when nothing could be sent
 */
export async function sendWrite(
  { context, request, operation, params }: MemberWrite,
  body?: unknown,
): Promise<WriteEnd> {
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
  return endOf(operation, outcome)
}

function endOf({ api }: WriteOperation, outcome: UpstreamOutcome): WriteEnd {
  if (outcome.kind === "not_sent") return { kind: "not_sent", failure: troubleFailure(api, outcome) }
  if (outcome.kind === "unreadable" && refusesUnread.has(outcome.status))
    return { kind: "refused", failure: serviceRefusal(api, outcome.status, undefined) }
  if (outcome.kind !== "answer") return { kind: "unsure", status: statusIn(outcome) }
  const { status, body } = outcome
  if (status >= 200 && status < 300 && saysFailed(body))
    return { kind: "unsure", status, said: serviceRefusal(api, status, body).message }
  if (status >= 200 && status < 300) {
    return {
      kind: "done",
      data: typeof body === "object" && body !== null ? Reflect.get(body, "data") : undefined,
    }
  }
  if (status >= 400 && status < 500 && status !== 408) {
    return { kind: "refused", failure: serviceRefusal(api, status, body) }
  }
  return { kind: "unsure", status }
}

function statusIn(outcome: UpstreamOutcome): number | undefined {
  return outcome.kind === "unreadable" ? outcome.status : undefined
}

/** The plan of reading one member. */
export function memberPlan(id: string): ReadPlan {
  return planById("GET /members/{member_id}", { member_id: id })
}

/**
 * Looks before a write. Whatever goes wrong with the look, the person is told that nothing was written.
 * @throws DeskFailure; the signal's reason
 */
export async function lookFirst<T>(look: Promise<T>): Promise<T> {
  try {
    return await look
  } catch (error) {
    if (!(error instanceof DeskFailure) || error.status < 500) throw error
    const { status, code, details, headers } = error
    throw new DeskFailure({
      status,
      code,
      message: `${error.message} Nothing was changed.`,
      headers,
      ...(details !== undefined && { details }),
    })
  }
}

/**
 * Reads one member now, past every copy, and through to the end: the signal of a person who left does not stop it.
 * @throws DeskFailure
 */
export async function readBack({ context, request }: MemberWrite, id: string): Promise<Member> {
  const { response } = await context.reads.read(memberPlan(id), { person: request.user, fresh: true })
  return memberReader.tolerant.parse(response.data)
}

/** Writes the outcome into the log. What was done at the service stays done when the log cannot be written. */
export async function recordWrite(
  { context, request, operation }: MemberWrite,
  act: Omit<Act, "action"> & { readonly action?: Act["action"] },
): Promise<void> {
  try {
    await context.audit.record(entryOf(request, { action: operation.audit, ...act }))
  } catch (error) {
    context.log.error(
      { err: error, requestId: request.requestId, operation: operation.id },
      "audit entry lost",
    )
  }
}

/**
 * Makes every copy of what was written old, here and at the other instances, and tells who is looking.
 * @param id the member's, where it is known
 */
export function announceWrite({ context, operation, params }: MemberWrite, id?: string): void {
  const fill = (tags: readonly string[]) => tags.map((tag) => fillTag(tag, params))
  context.reads.invalidate({
    gone: fill(operation.invalidates.gone),
    old: fill(operation.invalidates.old),
  })
  if (id !== undefined) context.events.publish({ topic: "member", id })
  context.events.publish({ topic: "members", id: id ?? "all" })
}

/** How the log names a member. */
export function onMember(id: string, member: Partial<Member> | undefined): AuditEntry["on"] {
  const name = [member?.first_name, member?.last_name].filter(Boolean).join(" ")
  return { kind: "member", id, label: name || (member?.email ?? null) }
}

/** The time of day now, in the program's time zone, for sentences. */
export async function timeOfDay({ settings, clock }: DeskContext): Promise<string> {
  const { time_zone } = await settings.get("program")
  return new Intl.DateTimeFormat("en-AU", {
    timeZone: time_zone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  }).format(clock.now())
}

/**
 * What a person is told when a write got no usable answer. Not done: the record was read and is as before. Not known:
 * it could not be read either.
 */
export function unsureFailure(
  { operation }: MemberWrite,
  known: "not-done" | "not-known",
  status: number | undefined,
  message: string,
): DeskFailure {
  const details = { api: operation.api, ...(status !== undefined && { upstream_status: status }) }
  return known === "not-done"
    ? new DeskFailure({ status: 502, code: "refused_by_service", message, details })
    : new DeskFailure({ status: 504, code: "outcome_unknown", message, details: { api: operation.api } })
}
