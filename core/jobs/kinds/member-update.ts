import {
  memberFieldValue,
  memberUpdateFields,
  memberUpdateRow,
  type MemberUpdateField,
} from "../../../contract/kinds/member-update.ts"
import { type Member, memberReader } from "../../../contract/program/member.ts"
import { rowConflict } from "../../../contract/job-rows.ts"
import { memberPlan } from "../../gateway/upstream-read.ts"
import { readBody } from "../../validation.ts"
import { type JobContext, type KindRules, type Precheck, rowRequest, typedId } from "../job-kind.ts"
import type { RowRecord } from "../job-store.ts"
import { noRecord, readsFor, refusal, refusedRead, requirePathId } from "../service-reads.ts"
import { comparedFields, type ComparedNotes, type Values } from "./compared-fields.ts"
import { updateCopy } from "./member-create.ts"
import { findRowMembers, withMember } from "./points.ts"

type MemberNotes = ComparedNotes<MemberUpdateField>
type MemberValues = Values<MemberUpdateField>

const compared = comparedFields(memberUpdateFields, {
  compares: "changed fields",
  isComplete: ({ status }) => status !== undefined,
})
export const { judge: judgeMember, trace: traceInMember } = compared

/**
 * Changes of members (docs/api/program.md, Members). Each member is read right before sending: a field that is no
 * longer as the person saw it is a conflict, and only fields that differ are sent. A repeated change has no second
 * effect, so a lost response is settled by reading the member.
 */
export const memberUpdate: KindRules<MemberNotes> = {
  kind: "member-update",
  newRow(raw, defaults) {
    const { member_id, email, ...changes } = readBody(raw, memberUpdateRow)
    const named = member_id === undefined ? email : typedId(member_id, "member_id", defaults)
    const row = withMember(named, changes)
    if (row.memberId !== null) requirePathId("member_id", row.memberId)
    return row
  },
  prepare: findRowMembers,
  restore: { preparesWhileHeld: true },
  precheck: compareBeforeSending,
  request: (_, row) =>
    rowRequest("PATCH /members/{member_id}", compared.sentBefore(row).send, { member_id: idOf(row) }),
  readResponse(data, row) {
    const read = memberReader.read(data)
    if (!read.ok || read.value.id !== idOf(row)) return undefined
    return compared.isAtTarget(wantedOf(row), fieldsOf(read.value))
      ? { upstreamId: idOf(row), balanceAfter: null }
      : undefined
  },
  // No claim of effects: several rows may change the same member.
  claims: { whileSent: (row) => ({ scope: "program:member-update", key: idOf(row) }) },
  async lookup(context, row) {
    if (row.memberId === null) return { kind: "no_record" }
    const effect = ({ status }: MemberValues) => ({ upstreamId: idOf(row), text: status, tagged: true })
    return compared.lookUp(context, row, comparedRow(context, row), effect).catch(noRecord)
  },
  absence: "settled",
  resendSafety: "compared",
  maxCalls: 4,
  // Repeated values have no second effect, and the member is compared before each send.
  resends: 3,
  messages: { absent: "not_changed" },
  audit: {
    on: (row) => ({ kind: "member", id: idOf(row), label: row.label ?? row.email }),
    changes(row) {
      const { base } = compared.sentBefore(row)
      const wanted = wantedOf(row)
      return memberUpdateFields.flatMap((field) =>
        wanted[field] === undefined ? [] : [{ field, from: base[field] ?? null, to: wanted[field] }],
      )
    },
  },
  cache: {
    topics: ["members"],
    invalidates: (row) => ({ evict: [`member:${row.memberId}`, "members:search"], stale: ["members"] }),
    response: updateCopy,
  },
  undo: undoOf,
  view({ state, notes }) {
    if (state !== "conflict") return {}
    const sides = rowConflict.safeParse({ ...notes, changed_by: notes?.["changed_by"] ?? undefined })
    return sides.success ? { conflict: sides.data } : {}
  },
}

async function compareBeforeSending(context: JobContext, row: RowRecord): Promise<Precheck<MemberNotes>> {
  const of = comparedRow(context, row)
  const { wanted, seen } = of
  try {
    let now = await of.read()
    let verdict = compared.judge({ seen, now, wanted })
    // Read again before reporting a conflict or using an incomplete response.
    if (verdict.kind === "conflict" || now.status === undefined) {
      now = await of.read()
      verdict = compared.judge({ seen, now, wanted })
    }
    if (verdict.kind === "conflict") return await compared.conflict(context, row, of, now)
    if (verdict.kind === "done") {
      // An earlier attempt that arrived late keeps what it was sent for: undoing it needs the values from before.
      const isOurs = compared.saved(row, "send") !== undefined
      const done = { upstreamId: idOf(row), balanceAfter: null }
      return { kind: "done", done: isOurs ? done : { ...done, notes: { base: now } } }
    }
    // Clears an earlier conflict.
    const over = { before: null, theirs: null, yours: null }
    return { kind: "go", notes: { base: now, send: compared.toSend(wanted, now), ...over } }
  } catch (error) {
    return refusal(row, refusedRead(error, "not_found_there"))
  }
}

function comparedRow(context: JobContext, row: RowRecord) {
  const seen = compared.seenBefore(row, readBody(row.input, memberUpdateRow).expected)
  return {
    wanted: wantedOf(row),
    seen: { ...seen, ...(seen.status !== undefined && { status: seen.status.toLowerCase() }) },
    read: () => readMember(context, row),
    on: { kind: "member", id: idOf(row) },
  } as const
}

/** The values from before in place of those that were sent, as far as a member can be set to them. */
function undoOf(row: RowRecord): RowRecord["input"] | undefined {
  const { base, send } = compared.sentBefore(row)
  const back = compared.pick((field) => {
    const before = base[field] ?? ""
    const isSettable = memberUpdateRow.shape[field].safeParse(before).success
    return send[field] !== undefined && isSettable ? before : undefined
  })
  if (Object.keys(back).length === 0) return undefined
  const expected = compared.pick((field) => (back[field] === undefined ? undefined : send[field]))
  return { member_id: idOf(row), ...back, expected }
}

/** Throws AppError. */
async function readMember(context: JobContext, row: RowRecord): Promise<MemberValues> {
  const { data } = await readsFor(context).read(memberPlan(idOf(row)))
  return fieldsOf(memberReader.tolerant.parse(data))
}

const idOf = ({ memberId }: Pick<RowRecord, "memberId">) => memberId ?? ""

function fieldsOf(member: Member): MemberValues {
  return compared.pick((field) => memberFieldValue(member, field))
}

function wantedOf(row: Pick<RowRecord, "input">): MemberValues {
  const input = readBody(row.input, memberUpdateRow)
  return compared.pick((field) => input[field])
}
