import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import {
  balanceAfter,
  balanceReader,
  transactionListReader,
  transactionReader,
  type Balance,
  type Transaction,
} from "../../../contract/program/points.ts"
import type { JobKind } from "../../../contract/job.ts"
import { DeskFailure } from "../../errors.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { type JobContext, requesterOf } from "../job-context.ts"
import type { FoundEffect, Lookup, NamedEffect } from "../job-kind.ts"
import { readNow, readWhole, type JobRequester } from "../job-reads.ts"
import type { JobRecord, RowRecord } from "../job-store.ts"
import { carriesCode, tagCode, tagForm, tagReference } from "../correlation-tags.ts"

/** Entry of the metadata that carries the row's mark when a person gave the reference. */
export const markKey = "laurel"

/**
 * Reads a member's ledger from a time on. Types are not filtered: a deduction may appear as `deduct` or `adjust`.
 * @throws DeskFailure
 */
export async function readLedger(
  context: JobContext,
  asker: JobRequester,
  memberId: string,
  from: number | undefined,
  signal?: AbortSignal,
) {
  return readWhole<Transaction>(
    context,
    asker,
    {
      operation: "GET /members/{member_id}/transactions",
      params: { member_id: memberId },
      query: from === undefined ? {} : { from: new Date(from).toISOString() },
      perPage: limits.perPage.max,
      rowsOf: (data) => transactionListReader.tolerant.parse(data),
      idOf: (row) => row.transaction_id,
    },
    signal,
  )
}

/**
 * A member's balance now.
 * @throws DeskFailure
 */
export async function readBalance(
  context: JobContext,
  asker: JobRequester,
  memberId: string,
  signal?: AbortSignal,
): Promise<Balance> {
  const plan = planById("GET /members/{member_id}/balance", { member_id: memberId })
  return balanceReader.tolerant.parse((await readNow(context, asker, plan, signal)).data)
}

/** Looks for a row's effect in its member's ledger. */
export async function lookInLedger(
  context: JobContext,
  job: JobRecord,
  row: RowRecord,
  from: number | undefined,
): Promise<Lookup> {
  if (row.memberId === null) return { kind: "no_record" }
  try {
    const { rows, complete } = await readLedger(context, requesterOf(job), row.memberId, from)
    const clear = rows.every((entry) => isClear(entry, job, row))
    return { kind: "read", found: rows.map((entry) => foundIn(entry, job, row)), complete: complete && clear }
  } catch (error) {
    if (error instanceof DeskFailure && error.code === "not_found") return { kind: "no_record" }
    throw error
  }
}

/** Whether it can be told from an entry that it is not this row's: one without what the mark stands in says nothing. */
function isClear(entry: Transaction, job: JobRecord, row: RowRecord): boolean {
  if (typeof entry.points !== "number") return false
  if (entry.points !== row.points) return true
  const form = tagForm(job, row)
  if (form === "award:metadata") return entry.reference !== row.input["reference"] || Boolean(entry.metadata)
  return form === "award:reference" || Boolean(entry.reason)
}

function foundIn(entry: Transaction, job: JobRecord, row: RowRecord): FoundEffect {
  const carriesOwn = carriesMark(entry, job, row)
  const createdAt =
    entry.created_at === undefined || entry.created_at === null ? Number.NaN : Date.parse(entry.created_at)
  return {
    upstreamId: entry.transaction_id,
    createdAt: Number.isNaN(createdAt) ? undefined : createdAt,
    points: entry.points ?? null,
    text: entry.reason ?? null,
    reference: entry.reference ?? null,
    tagged: entry.points === row.points && carriesOwn,
    otherAmount: typeof entry.points === "number" && entry.points !== row.points && carriesOwn,
    not: otherThan(entry, job, row),
  }
}

/** Types of ledger rows that a kind of job never makes (docs/api/program.md, Transaction); others are left to a person. */
const neverMade: Readonly<Partial<Record<JobKind, readonly string[]>>> = {
  award: ["redeem", "deduct", "expire"],
  deduct: ["award", "redeem", "expire"],
}

function otherThan({ type, points }: Transaction, job: JobRecord, row: RowRecord): FoundEffect["not"] {
  if (typeof type === "string" && neverMade[job.kind]?.includes(type.toLowerCase()) === true) return "kind"
  return typeof points === "number" && points !== row.points ? "amount" : undefined
}

/** Whether a ledger row carries the mark of this row, in whichever form it was sent (docs/decisions/0002-money.md). */
function carriesMark(entry: Transaction, job: JobRecord, row: RowRecord): boolean {
  const own = tagReference(job, row)
  switch (tagForm(job, row)) {
    case "award:reference":
      return entry.reference === own
    case "award:metadata":
      return entry.metadata?.[markKey] === own
    // A row of a bulk job that went out alone carries its reference besides.
    case "award:reason":
      return entry.reference === own || carriesCode(entry.reason, tagCode(job, row))
    default:
      return carriesCode(entry.reason, tagCode(job, row))
  }
}

const balances = z.object({ balance_after: z.nullish(z.int()), new_balance: z.nullish(z.int()) })

/**
 * Reads the answer to an award or a deduction: it names the row when it has an id, the member and the points as they
 * were sent, and the same reference if it says one.
 * @param sign 1 for awards, -1 for deductions, whose answers may give the points either way
 */
export function readBooked(
  data: unknown,
  row: RowRecord,
  reference: string | undefined,
  sign: 1 | -1,
): NamedEffect | undefined {
  const read = transactionReader.read(data)
  if (!read.ok) return undefined
  const { transaction_id, member_id, points, reference: echoed } = read.value
  const asSent = sign === 1 ? points === row.points : Math.abs(points ?? 0) === Math.abs(row.points ?? 0)
  if (member_id !== row.memberId || !asSent) return undefined
  if (
    echoed !== undefined &&
    echoed !== null &&
    echoed !== "" &&
    reference !== undefined &&
    echoed !== reference
  )
    return undefined
  const after = balances.safeParse(read.value)
  return {
    upstreamId: transaction_id,
    balanceAfter: (after.success ? balanceAfter(read.value).points : undefined) ?? null,
  }
}
