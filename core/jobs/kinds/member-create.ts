import { createMemberBody, memberReader, type Member } from "../../../contract/program/member.ts"
import { rowOutcomeWords } from "../../../contract/row-outcomes.ts"
import { readBody } from "../../validation.ts"
import { rowEffect } from "../../job-data/row-effect.ts"
import { type JobContext, plannedRows, requesterOf } from "../job-context.ts"
import {
  type FoundEffect,
  type KindRules,
  type Lookup,
  neverSentHere,
  type RestoredFacts,
} from "../job-kind.ts"
import type { Claim, JobRecord, RowChange, RowRecord } from "../job-store.ts"
import { findMembers, memberLabel, readMembers, type MembersByEmail } from "./find-members.ts"

/**
 * New members (docs/api/program.md, Members). The service names no rule about e-mails, so each is looked up before,
 * and while one row is at it no other row of any job may create the same.
 */
export const memberCreate: KindRules = {
  kind: "member-create",
  api: "program",
  hasPoints: false,
  newRow(raw) {
    const input = readBody(raw, createMemberBody)
    return {
      input,
      memberId: null,
      email: input.email.toLowerCase(),
      label: [input.first_name, input.last_name].join(" "),
      points: null,
      reason: null,
      reverses: null,
      // There is one member for an e-mail, whatever else the row says.
      effect: rowEffect("member-create", 1, ""),
    }
  },
  prepare: prepareNewMembers,
  request: (_, row) => ({
    operation: "POST /members",
    api: "program",
    method: "POST",
    path: "/members",
    body: row.input,
  }),
  readResponse(data, row) {
    const read = memberReader.read(data)
    if (!read.ok || !hasEmail(read.value, row.email)) return undefined
    return { upstreamId: read.value.id, balanceAfter: null }
  },
  claimScope: "program:member",
  claimUntilEnd: emailClaim,
  lookup: lookForMember,
  absence: "settled",
  resends: 0,
  topics: ["members"],
  invalidates: () => ({ gone: [], old: ["members"] }),
}

function emailClaim({ email }: Pick<RowRecord, "email">): Claim | undefined {
  return email === null ? undefined : { scope: "program:new-member", key: email }
}

async function prepareNewMembers(context: JobContext, job: JobRecord, signal: AbortSignal): Promise<void> {
  const { jobs } = context.store
  const mine = new Map<string, RowRecord>()
  for await (const planned of plannedRows(jobs, job.id)) {
    // A row that was sent before may be there by its own doing: that is looked up, never refused.
    const rows = planned.filter((row) => !row.doubtful)
    const changes = rows.map((row): RowChange => {
      const held = emailClaim(row)
      const { row: number, edits } = row
      return { row: number, from: ["planned"], edits, set: {}, ...(held !== undefined && { claim: held }) }
    })
    const results = await jobs.changeRows(job.id, changes)
    const taken: RowChange[] = []
    for (const [at, row] of rows.entries()) {
      if (results[at] === "changed" && row.email !== null) mine.set(row.email, row)
      if (results[at] === "claimed") {
        const outcome = { code: "duplicate_in_job", message: rowOutcomeWords.duplicate_in_job }
        taken.push({ row: row.row, from: ["planned"], edits: row.edits, set: { state: "failed", outcome } })
      }
    }
    if (taken.length > 0) await jobs.changeRows(job.id, taken)
  }
  const found = async (some: MembersByEmail) => {
    const changes = [...some].flatMap(([email, [member]]): RowChange[] => {
      const row = mine.get(email)
      return row === undefined || member === undefined ? [] : [alreadyThere(row, email, member)]
    })
    if (changes.length > 0) await jobs.changeRows(job.id, changes)
    context.jobChanged(job.id)
  }
  if (mine.size > 0) await findMembers(context, requesterOf(job), [...mine.keys()], found, signal)
}

function alreadyThere({ row, edits }: RowRecord, email: string, member: Member): RowChange {
  const release = emailClaim({ email })
  return {
    row,
    from: ["planned"],
    edits,
    set: {
      state: "failed",
      memberId: member.id,
      label: memberLabel(member),
      outcome: { code: "already_member", message: rowOutcomeWords.already_member },
    },
    ...(release !== undefined && { release }),
  }
}

async function lookForMember(context: JobContext, job: JobRecord, row: RowRecord): Promise<Lookup> {
  const email = row.email ?? ""
  const never = new AbortController().signal
  const { rows, complete } = await readMembers(context, requesterOf(job), { search: email }, never)
  const there = rows.filter((member) => hasEmail(member, email))
  const restored = neverSentHere(row)
  if (restored !== undefined) return madeSince(context, restored, there, complete)
  return { kind: "read", found: there.map((member) => foundIn(member, true)), complete }
}

/** This store never sent the row: a member who was made since it was complete is its own, an earlier one is not. */
function madeSince(
  { time }: JobContext,
  { since, sample }: RestoredFacts,
  there: readonly Member[],
  complete: boolean,
): Lookup {
  const from = time.toServiceTime("program", since)
  const isMine = (member: Member) =>
    from !== undefined && Date.parse(member.created_at ?? "") >= from - slackMs
  const found = there.map((member) => foundIn(member, isMine(member)))
  const [only] = there
  const told = there.every(({ created_at }) => !Number.isNaN(Date.parse(created_at ?? "")))
  const refused =
    only !== undefined && told && !sample && !found.some(({ tagged }) => tagged)
      ? { code: "already_member", message: rowOutcomeWords.already_member }
      : undefined
  return { kind: "read", found, complete: complete && told, ...(refused !== undefined && { refused }) }
}

/** Clocks are told to the second. */
const slackMs = 2000

function foundIn(member: Member, tagged: boolean): FoundEffect {
  const createdAt = Date.parse(member.created_at ?? "")
  return {
    upstreamId: member.id,
    createdAt: Number.isNaN(createdAt) ? undefined : createdAt,
    points: null,
    text: memberLabel(member),
    reference: member.email ?? null,
    tagged,
  }
}

function hasEmail(member: Member, email: string | null): boolean {
  return email !== null && member.email?.trim().toLowerCase() === email
}
