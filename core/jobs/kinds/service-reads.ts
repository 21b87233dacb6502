import { limits } from "../../../contract/limits.ts"
import { type Member, memberListReader } from "../../../contract/program/member.ts"
import { orderListReader, type Order } from "../../../contract/program/order.ts"
import {
  balanceReader,
  transactionListReader,
  type Balance,
  type Transaction,
} from "../../../contract/program/points.ts"
import { AppError, invalid } from "../../errors.ts"
import { unreadable } from "../../gateway/outcome.ts"
import { planById } from "../../gateway/upstream-read.ts"
import { encodeId } from "../../match.ts"
import type { JobContext } from "../job-context.ts"
import { readNow, readWhole, type JobRequester } from "../job-reads.ts"

/** The services send times to the second, so two clocks are compared with this much tolerance, in ms. */
export const clockSlackMs = 2000

/**
 * Reads a member's ledger from a time on (ms since 1970, the service's clock; undefined: everything). Types are not
 * filtered: a deduction may appear as `deduct` or `adjust`.
 * @throws AppError
 */
export function readLedger(
  context: JobContext,
  requester: JobRequester,
  member_id: string,
  from: number | undefined,
) {
  return readWhole<Transaction>(context, requester, {
    operation: "GET /members/{member_id}/transactions",
    params: { member_id },
    query: from === undefined ? {} : { from: new Date(from).toISOString() },
    perPage: limits.perPage.max,
    rowsOf: (data) => transactionListReader.tolerant.parse(data),
    idOf: (row) => row.transaction_id,
  })
}

/**
 * A member's balance now.
 * @throws AppError
 */
export async function readBalance(
  context: JobContext,
  requester: JobRequester,
  member_id: string,
  signal?: AbortSignal,
): Promise<Balance> {
  const plan = planById("GET /members/{member_id}/balance", { member_id })
  return balanceReader.tolerant.parse((await readNow(context, requester, plan, signal)).data)
}

/** More pages than this are not the orders of one member. */
const mostOrderPages = 200

/**
 * Every order of a member: pages are read until a short one, because the service gives no total.
 * @throws AppError
 */
export async function readMemberOrders(
  context: JobContext,
  requester: JobRequester,
  member_id: string,
): Promise<Order[]> {
  const found = new Map<string, Order>()
  for (let page = 1; page <= mostOrderPages; page += 1) {
    const plan = planById("GET /orders", {}, { member_id, page, per_page: limits.perPage.max })
    const rows = orderListReader.tolerant.parse((await readNow(context, requester, plan)).data)
    for (const row of rows) found.set(row.order_id, row)
    if (rows.length < limits.perPage.max) break
  }
  return [...found.values()]
}

/**
 * Reads the member list to its end.
 * @throws AppError; the signal's reason
 */
export function readMembers(
  context: JobContext,
  requester: JobRequester,
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) {
  return readWhole<Member>(
    context,
    requester,
    {
      operation: "GET /members",
      params: {},
      query,
      perPage: limits.perPage.max,
      rowsOf: (data) => memberListReader.tolerant.parse(data),
      idOf: (row) => row.id,
    },
    signal,
  )
}

/** Up to this many e-mails are searched one by one without first reading how many members there are. */
const fewEmails = 3
/** Searches that run at the same time. */
const searchesAtOnce = 6

/** Members by e-mail in lower case: those who have exactly it. */
export type MembersByEmail = ReadonlyMap<string, readonly Member[]>

/**
 * Finds the members with exactly these e-mails, upper and lower case alike: by one search each, or by reading every
 * member, whichever takes fewer requests.
 * @param emails in lower case, each once
 * @param onFound called after each search; after reading every member once for all
 * @throws AppError; the signal's reason
 */
export async function findMembers(
  context: JobContext,
  requester: JobRequester,
  emails: readonly string[],
  onFound: (some: MembersByEmail) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (emails.length > fewEmails) {
    const plan = planById("GET /members", {}, { page: 1, per_page: limits.perPage.max })
    const { meta } = await readNow(context, requester, plan, signal)
    const pages = Math.ceil((meta?.total ?? Number.POSITIVE_INFINITY) / limits.perPage.max)
    if (pages < emails.length) {
      const { rows, complete } = await readMembers(context, requester, {}, signal)
      if (complete) {
        await onFound(byEmail(rows, emails))
        return
      }
    }
  }
  const left = [...emails]
  const search = async () => {
    for (let email = left.shift(); email !== undefined; email = left.shift()) {
      signal.throwIfAborted()
      const { rows, moved } = await readMembers(context, requester, { search: email }, signal)
      // A member who was not seen may exist all the same.
      if (moved) throw unreadable("program", 200, "its search for an e-mail has no end")
      await onFound(byEmail(rows, [email]))
    }
  }
  await Promise.all(Array.from({ length: Math.min(searchesAtOnce, emails.length) }, search))
}

function byEmail(members: readonly Member[], emails: readonly string[]): MembersByEmail {
  const found = new Map<string, Member[]>(emails.map((email) => [email, []]))
  for (const member of members) found.get(emailOf(member) ?? "")?.push(member)
  return found
}

/** A member's e-mail as it is compared. */
export function emailOf({ email }: Member): string | undefined {
  return email?.trim().toLowerCase()
}

/** A member as people call them. */
export function memberLabel({ first_name, last_name, email }: Member): string | null {
  return [first_name, last_name].filter(Boolean).join(" ") || (email ?? null)
}

/** Refusals of a key or a rate, and time-outs: they pass, or stop the whole job. */
const passing: ReadonlySet<number> = new Set([401, 403, 408, 429])

/**
 * The outcome of a row whose record the service does not give: reading again would end the same. Undefined for
 * failures that pass.
 * @param missing the outcome of a record that does not exist
 */
export function refusedRead(
  error: unknown,
  missing: { readonly code: string; readonly message: string },
): { readonly code: string; readonly message: string } | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.code === "not_found") return missing
  const { upstream_status: status = 500, upstream_code: code } = error.details ?? {}
  if (error.code !== "refused_by_service" || status >= 500 || passing.has(status)) return undefined
  return { code: code ?? "refused_by_service", message: error.message }
}

/**
 * Checks that a path of the service can name this record.
 * @throws AppError 422 on the field
 */
export function requirePathId(field: string, id: string): void {
  if (encodeId(id) === undefined) throw invalid(422, [{ field, message: "No record can have this id." }])
}
