import * as z from "zod/mini"
import { existingEmail } from "../../../contract/email-address.ts"
import { type AwardRow, awardRow, deductRow } from "../../../contract/kinds/points.ts"
import {
  balanceAfter,
  bulkAwardReader,
  transactionReader,
  type Transaction,
} from "../../../contract/program/points.ts"
import { timeOf } from "../../../contract/program/common.ts"
import { exactText } from "../../../contract/typed-text.ts"
import { rowOutcome } from "../../../contract/row-outcomes.ts"
import {
  carriesCode,
  reasonWithCode,
  reasonWithoutCode,
  rowEffect,
  rowPurpose,
  tagCode,
  tagKey,
  tagReference,
} from "../job-record.ts"
import { readBody } from "../../validation.ts"
import { changeInBatches, rowBatches } from "../engine-context.ts"
import {
  type FoundEffect,
  isUsableId,
  type JobContext,
  type KindRules,
  type Lookup,
  rowRequest,
  typedId,
} from "../job-kind.ts"
import { blankRow, type JobRecord, type NewRow, type RowRecord } from "../job-store.ts"
import { memberLabel, noRecord, readsFor, type MembersByEmail } from "../service-reads.ts"
import { updatePlanned, refusePlanned } from "../transitions.ts"

const pointsRules = {
  prepare: findRowMembers,
  restore: { preparesWhileHeld: true },
  claims: { effects: "program:transaction" },
  lookup: (...about) => lookUpInLedger(...about).catch(noRecord),
  absence: "canary",
  cache: {
    topics: ["members"],
    invalidates: (row) => ({ evict: [`member:${row.memberId}`], stale: ["members"] }),
  },
} satisfies Partial<KindRules>

/** Awards of points, singly or in bulk (docs/api/program.md, Points). */
export const award: KindRules = {
  ...pointsRules,
  kind: "award",
  newRow(raw, defaults) {
    const { member_id, email, ...input } = readBody(raw, awardRow)
    const { points, reason, reference } = input
    const byReason = rowEffect("award", points, `reason ${reasonWithoutCode(reason)}`)
    return {
      ...rowOf(member_id === undefined ? email : typedId(member_id, "member_id", defaults), input),
      points,
      effect: reference === undefined ? byReason : rowEffect("award", points, `reference ${reference}`),
      effectWithoutReference: reference === undefined ? null : byReason,
      purpose: rowPurpose({ reference, reason }),
    }
  },
  request(job, row) {
    const { points } = readBody(row.input, awardRow)
    return rowRequest("POST /points/award", {
      member_id: row.memberId,
      points,
      ...correlated(job, row),
    })
  },
  readResponse: (data, row, sent) =>
    readTransaction(data, row, 1, sentReference.safeParse(sent.body).data?.reference),
  bulk: {
    maxCalls: 4,
    accepts: isSentInBulk,
    item: bulkItem,
    request: (job, rows) =>
      rowRequest("POST /points/award/bulk", { awards: rows.map((row) => bulkItem(job, row)) }),
    readResponse: readBulkAward,
  },
  tags: { forms: ["award:reference", "award:metadata", "award:reason"], formOf: awardTagForm },
  maxCalls: 16,
  // After more absences something else is wrong, and a person decides.
  resends: 3,
}

/**
 * Manual deductions (docs/api/program.md, Points, rule 1). They have no reference, so their reason always ends in the
 * batch code, and a proven absence is never resent automatically.
 */
export const deduct: KindRules = {
  ...pointsRules,
  kind: "deduct",
  newRow(raw, defaults) {
    const { member_id, email, ...input } = readBody(raw, deductRow)
    return {
      ...rowOf(member_id === undefined ? email : typedId(member_id, "member_id", defaults), input),
      points: -input.points,
      effect: rowEffect("deduct", input.points, `reason ${reasonWithoutCode(input.reason)}`),
    }
  },
  request: (job, row) =>
    rowRequest("POST /points/deduct", {
      member_id: row.memberId,
      points: Math.abs(row.points ?? 0),
      reason: reasonWithCode(row.reason ?? "", tagCode(job, row)),
    }),
  readResponse: (data, row) => readTransaction(data, row, -1),
  tags: { forms: ["deduct:reason"], formOf: () => "deduct:reason" },
  maxCalls: 16,
  resends: 0,
}

/**
 * The award that follows from a row of another job, such as the rest of a returned order. It takes the place of a
 * reversal of that row, so there is one at most, and is never compared with other awards.
 */
export function awardInReturn({ jobId, row }: RowRecord, input: AwardRow): NewRow {
  const made = award.newRow(input, { isRecordId: () => true })
  const uncompared = { effect: null, effectWithoutReference: null, purpose: null }
  return { ...blankRow, ...made, ...uncompared, reverses: { job: jobId, row } }
}

/** The row that takes the place of a reversal of another row, if there is one. */
export async function counterpartOf({ jobs }: Pick<JobContext["store"], "jobs">, { jobId, row }: RowRecord) {
  const found = (await jobs.reversedRows(jobId, [row])).get(row)
  return found && (await jobs.row(found.job, found.row))
}

function rowOf(named: string | undefined, input: { readonly reason: string }) {
  return { ...withMember(named, input), reason: input.reason }
}

/** Ids have no documented format: an e-mail address in place of an id is used as an e-mail. */
export function withMember(named: string | undefined, input: object) {
  // Failed e-mail checks are slow, and most ids have no @.
  const email = named?.includes("@") === true ? existingEmail.safeParse(named).data : undefined
  const member = email === undefined ? { member_id: named } : { email }
  return {
    input: { ...member, ...input },
    memberId: email === undefined ? (named ?? null) : null,
    email: email?.toLowerCase() ?? null,
  }
}

function isSentInBulk({ mode }: Pick<JobRecord, "mode">, { input }: Pick<RowRecord, "input">): boolean {
  return mode === "bulk" && input["reference"] === undefined && input["metadata"] === undefined
}

function bulkItem(job: JobRecord, row: RowRecord) {
  return { member_id: row.memberId, points: row.points, reason: bulkReason(job, row) }
}

function bulkReason(job: JobRecord, row: RowRecord): string {
  const reason = row.reason ?? ""
  return job.hasBatchCode ? reasonWithCode(reason, tagCode(job, row)) : reason
}

function readBulkAward(data: unknown): ReadonlyMap<string, string> | undefined {
  const read = bulkAwardReader.read(data)
  if (!read.ok) return undefined
  const byMember = Map.groupBy(read.value.transactions, ({ member_id }) => member_id)
  const named = [...byMember].filter(([, entries]) => entries.length === 1)
  const ids = named.map(([member, [only]]) => [member, only?.transaction_id ?? ""] as const)
  return new Map(ids.filter(([, id]) => isUsableId(id)))
}

/** Where an award carries its tag: reference, metadata or reason (docs/jobs.md, Correlation tags). */
function awardTagForm(job: Pick<JobRecord, "mode">, row: Pick<RowRecord, "input">) {
  if (isSentInBulk(job, row)) return "award:reason"
  return row.input["reference"] === undefined ? "award:reference" : "award:metadata"
}

function tagForm(job: JobRecord, row: RowRecord) {
  return job.kind === "award" ? awardTagForm(job, row) : "deduct:reason"
}

function correlated(job: JobRecord, row: RowRecord) {
  const own = tagReference(job, row)
  const { reason, reference, metadata } = readBody(row.input, awardRow)
  const form = awardTagForm(job, row)
  if (form === "award:metadata") return { reason, reference, metadata: { ...metadata, [tagKey]: own } }
  const tagged = { reason: form === "award:reason" ? bulkReason(job, row) : reason, reference: own }
  return { ...tagged, ...(metadata !== undefined && { metadata }) }
}

function carriesTag(entry: Transaction, job: JobRecord, row: RowRecord): boolean {
  const own = tagReference(job, row)
  const form = tagForm(job, row)
  if (form === "award:metadata") return entry.metadata?.[tagKey] === own
  // A row of a bulk job that was sent alone also carries its reference.
  if (form !== "deduct:reason" && entry.reference === own) return true
  return form !== "award:reference" && carriesCode(entry.reason, tagCode(job, row))
}

/** Finds the members of planned rows that name them by e-mail; rows whose e-mail no member or several have fail. */
export async function findRowMembers(context: JobContext): Promise<void> {
  const { job } = context
  const { jobs } = context.store
  const unnamed: (Pick<RowRecord, "row" | "edits"> & { readonly email: string })[] = []
  for await (const rows of rowBatches(jobs, job.id))
    for (const { row, edits, email, memberId } of rows)
      if (memberId === null && email !== null) unnamed.push({ row, edits, email })
  if (unnamed.length === 0) return
  const waiting = Map.groupBy(unnamed, ({ email }) => email)
  const onFound = async (some: MembersByEmail) => {
    const changes = [...some].flatMap(([email, [member, ...others]]) =>
      (waiting.get(email) ?? []).map((row) => {
        if (member === undefined) return refusePlanned(row, rowOutcome("member_not_found"))
        if (others.length > 0) return refusePlanned(row, rowOutcome("member_ambiguous"))
        return updatePlanned(row, { memberId: member.id, label: memberLabel(member) })
      }),
    )
    await changeInBatches(jobs, job.id, changes)
    context.jobChanged(job.id)
  }
  await readsFor(context).findMembers([...waiting.keys()], onFound)
}

async function lookUpInLedger(context: JobContext, row: RowRecord, from?: number): Promise<Lookup> {
  if (row.memberId === null) return { kind: "no_record" }
  const { job } = context
  const { rows, complete } = await readsFor(context).ledger(row.memberId, from)
  const clear = rows.every((entry) => isConclusive(entry, job, row))
  return { kind: "read", found: rows.map((entry) => foundIn(entry, job, row)), complete: complete && clear }
}

/** Whether an entry can be attributed: without the field that carries the tag it proves nothing. */
function isConclusive(entry: Transaction, job: JobRecord, row: RowRecord): boolean {
  if (typeof entry.points !== "number") return false
  if (entry.points !== row.points) return true
  const form = tagForm(job, row)
  if (form === "award:metadata") return !hasReference(entry, row) || Boolean(entry.metadata)
  return form === "award:reference" || Boolean(entry.reason)
}

/** Older rows may have format characters in their reference, which are no longer sent. */
function hasReference({ reference }: Transaction, { input }: RowRecord): boolean {
  const requested = input["reference"]
  return typeof requested === "string" && exactText(reference ?? "") === exactText(requested)
}

function foundIn(entry: Transaction, job: JobRecord, row: RowRecord): FoundEffect {
  const { points = null } = entry
  const tagged = carriesTag(entry, job, row)
  return {
    upstreamId: entry.transaction_id,
    createdAt: timeOf(entry.created_at),
    points,
    text: entry.reason,
    reference: entry.reference,
    tagged: points === row.points && tagged,
    otherAmount: points !== null && points !== row.points && tagged,
    not: mismatch(entry, job, row),
  }
}

/** Ledger types that a kind never creates (docs/api/program.md, Transaction); other types are left to a person. */
const neverMade: Readonly<Record<string, readonly string[]>> = {
  award: ["redeem", "deduct", "expire"],
  deduct: ["award", "redeem", "expire"],
  "member-merge": ["award", "redeem", "expire"],
}

function mismatch({ type, points }: Transaction, job: JobRecord, row: RowRecord): FoundEffect["not"] {
  if (typeof type === "string" && neverMade[job.kind]?.includes(type.toLowerCase()) === true) return "kind"
  return typeof points === "number" && points !== row.points ? "amount" : undefined
}

const sentReference = z.object({ reference: z.optional(z.string()) })
const balances = z.object({ balance_after: z.nullish(z.int()), new_balance: z.nullish(z.int()) })

/** The transaction must match member, points and reference as sent; with `sign` -1, points may have either sign. */
function readTransaction(data: unknown, row: RowRecord, sign: 1 | -1, sent?: string) {
  const read = transactionReader.read(data)
  if (!read.ok) return undefined
  const { transaction_id, member_id, points, reference } = read.value
  const asSent = sign === 1 ? points === row.points : Math.abs(points ?? 0) === Math.abs(row.points ?? 0)
  if (member_id !== row.memberId || !asSent) return undefined
  if (reference && sent !== undefined && reference !== sent) return undefined
  const isBalance = balances.safeParse(read.value).success
  const after = isBalance ? balanceAfter(read.value).points : undefined
  return { upstreamId: transaction_id, balanceAfter: after ?? null }
}
