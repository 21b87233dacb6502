import { createMemberBody, type Member, memberReader } from "../../../contract/program/member.ts"
import { timeOf } from "../../../contract/program/common.ts"
import { rowOutcome } from "../../../contract/row-outcomes.ts"
import { rowEffect } from "../job-record.ts"
import { readBody } from "../../validation.ts"
import { changeInBatches, rowBatches } from "../engine-context.ts"
import {
  type FoundEffect,
  type JobContext,
  type KindRules,
  type Lookup,
  neverSentHere,
  rowRequest,
} from "../job-kind.ts"
import type { Claim, RowRecord } from "../job-store.ts"
import { clockSlackMs, memberEmail, memberLabel, readsFor, type MembersByEmail } from "../service-reads.ts"
import { updatePlanned, refusePlanned } from "../transitions.ts"

/**
 * New members (docs/api/program.md, Members). The service documents no rule for duplicate e-mails, so each e-mail is
 * looked up first and claimed, so that concurrent rows cannot create the same member.
 */
export const memberCreate: KindRules = {
  kind: "member-create",
  newRow(raw) {
    const input = readBody(raw, createMemberBody)
    return {
      input,
      email: input.email.toLowerCase(),
      label: [input.first_name, input.last_name].join(" "),
      // One member per e-mail: other fields do not matter.
      effect: rowEffect("member-create", 1, ""),
    }
  },
  prepare: refuseKnownMembers,
  request: (_, row) => rowRequest("POST /members", row.input),
  readResponse(data, row) {
    const read = memberReader.read(data)
    if (!read.ok || row.email === null || memberEmail(read.value) !== row.email) return undefined
    return { upstreamId: read.value.id, balanceAfter: null }
  },
  claims: { effects: "program:member", untilEnd: emailClaim },
  lookup: lookUpMember,
  absence: "settled",
  maxCalls: 16,
  resends: 0,
  audit: {
    on: ({ upstreamId, label, email }) => ({
      kind: "member",
      id: upstreamId ?? "",
      label: label ?? email,
    }),
  },
  cache: {
    topics: ["members"],
    invalidates: () => ({ evict: ["members:search"], stale: ["members"] }),
    response: updateCopy,
  },
}

/** The member in a row's response reaches the local copy, so that it is not read again. */
export function updateCopy({ sync }: JobContext, _: RowRecord, data: unknown): undefined {
  sync?.members.written(data)
}

function emailClaim({ email }: Pick<RowRecord, "email">): Claim | undefined {
  return email === null ? undefined : { scope: "program:new-member", key: email }
}

const asRead = ({ row, edits }: RowRecord) => ({ row, edits })

/** Claims the e-mail of every planned row; rows whose e-mail another row or a member has fail without being sent. */
async function refuseKnownMembers(context: JobContext): Promise<void> {
  const { job } = context
  const { jobs } = context.store
  const mine = new Map<string, RowRecord>()
  for await (const planned of rowBatches(jobs, job.id)) {
    // A row that was sent before may have created the member itself: it is looked up instead.
    const rows = planned.filter((row) => !row.hadUnknownAttempt)
    const claims = rows.map((row) => updatePlanned(asRead(row), {}, emailClaim(row)))
    const results = await jobs.changeRows(job.id, claims)
    for (const [at, row] of rows.entries())
      if (results[at] === "changed" && row.email !== null) mine.set(row.email, row)
    const taken = rows.filter((_, at) => results[at] === "claimed")
    const refused = taken.map((row) => refusePlanned(asRead(row), rowOutcome("duplicate_in_job")))
    await changeInBatches(jobs, job.id, refused)
  }
  const onFound = async (some: MembersByEmail) => {
    const changes = [...some].flatMap(([email, [member]]) => {
      const row = mine.get(email)
      if (row === undefined || member === undefined) return []
      // Keep the requested name, not the member's.
      const set = { memberId: member.id }
      return [refusePlanned(asRead(row), rowOutcome("already_member"), set, emailClaim(row))]
    })
    await changeInBatches(jobs, job.id, changes)
    context.jobChanged(job.id)
  }
  if (mine.size > 0) await readsFor(context).findMembers([...mine.keys()], onFound)
}

/** Looks up the member by e-mail. For a row never sent here, only members created since the store was complete count. */
async function lookUpMember(context: JobContext, row: RowRecord): Promise<Lookup> {
  const email = row.email ?? ""
  const { rows, complete } = await readsFor(context).members({ search: email })
  const matches = rows.filter((member) => row.email !== null && memberEmail(member) === email)
  const restored = neverSentHere(row)
  if (restored === undefined)
    return { kind: "read", found: matches.map((member) => foundIn(member, true)), complete }
  const from = context.time.toServiceTime("program", restored.since)
  const found = matches.map((member) => {
    const createdAt = timeOf(member.created_at)
    return foundIn(member, from !== undefined && createdAt !== undefined && createdAt >= from - clockSlackMs)
  })
  const haveTimes = found.every(({ createdAt }) => createdAt !== undefined)
  const isEarlier = matches.length > 0 && haveTimes && !restored.sample && !found.some(({ tagged }) => tagged)
  return {
    kind: "read",
    found,
    complete: complete && haveTimes,
    ...(isEarlier && { refused: rowOutcome("already_member") }),
  }
}

function foundIn(member: Member, tagged: boolean): FoundEffect {
  const createdAt = timeOf(member.created_at)
  return { upstreamId: member.id, createdAt, text: memberLabel(member), reference: member.email, tagged }
}
