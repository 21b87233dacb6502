import { limits } from "../../contract/limits.ts"
import { exactText } from "../../contract/typed-text.ts"
import { memberListReader, type Member } from "../../contract/program/member.ts"
import { orderListReader, type Order } from "../../contract/program/order.ts"
import {
  balanceReader,
  transactionListReader,
  type Balance,
  type Transaction,
} from "../../contract/program/points.ts"
import { rowOutcome, type RowOutcomeCode } from "../../contract/row-outcomes.ts"
import { AppError, invalid } from "../errors.ts"
import { isPermitTimeout } from "../gateway/caller.ts"
import { unreadable } from "../gateway/upstream-errors.ts"
import { parseResponse, planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import type { UpstreamResult } from "../ports.ts"
import { jobRequester, type EngineContext } from "./engine-context.ts"
import type { Lookup, RowOutcome, Precheck } from "./job-kind.ts"
import type { RowRecord } from "./job-store.ts"

/** Tolerance when comparing clocks, in ms: the services send times to the second. */
export const clockSlackMs = 2000
const againMs = 100
/** Longest wait for a permit, in ms; background work then waits again. */
const permitWaitMs = { people: 20_000, jobs: 300_000 }
const perPage = limits.perPage.max
const mostStarts = 5
/** Upper bounds for the history and the orders of one member. */
const mostPages = 2000
const mostOrderPages = 200
/** Up to this many e-mails are searched one by one without reading the number of members first. */
const fewEmails = 3
const maxSearches = 6

/** By e-mail in lower case; more than one member: the service does not keep them unique. */
export type MembersByEmail = ReadonlyMap<string, readonly Member[]>

/**
 * The engine's reads for a job: never cached, and they record the service's time. They throw AppError for an unusable
 * response, and the reason of the context's signal.
 */
export function readsFor(context: EngineContext & { readonly job: Parameters<typeof jobRequester>[0] }) {
  const { caller, clock, drift, signal, time } = context
  const requester = jobRequester(context.job)

  async function read(plan: ReadPlan) {
    let sent = await requestOnce(plan)
    // Background work retries more, so that one failed page does not waste a long read.
    const tries = requester.lane === "jobs" ? 5 : 2
    for (let tried = 1; tried < tries && isTransient(sent.result); tried += 1) {
      if (tried > 1) await clock.sleep(againMs * 2 ** tried, signal)
      sent = await requestOnce(plan)
    }
    const parsed = parseResponse(plan, sent.result, sent, "money")
    drift.add(plan.operation.api, plan.operation.id, parsed.drift)
    return parsed.response
  }

  async function requestOnce({ operation: { api, id }, path, query }: ReadPlan) {
    for (;;) {
      try {
        const requestedAt = clock.monotonic()
        const deadline = requestedAt + permitWaitMs[requester.lane]
        const call = { operation: id, api, method: "GET", path, query, deadline, signal } as const
        const result = await caller.send({ ...requester, ...call })
        time.noteServiceTime(api, result.kind === "answer" ? result.serviceTime : undefined)
        return { result, requestedAt, answeredAt: clock.monotonic() }
      } catch (error) {
        if (requester.lane !== "jobs" || !isPermitTimeout(error)) throw error
      }
    }
  }

  /**
   * Reads all pages of a list. If the total changes while reading, rows may have moved between pages, so it starts again.
   * `moved`: the total changed in every try.
   */
  async function readAllPages<T>(
    planOf: (page: number) => ReadPlan,
    rowsOf: (data: unknown) => readonly T[],
    idOf: (row: T) => string,
  ): Promise<{ readonly rows: readonly T[]; readonly complete: boolean; readonly moved: boolean }> {
    for (let start = 1; start <= mostStarts; start += 1) {
      const byId = new Map<string, T>()
      let total: number | undefined
      let moved = false
      for (let page = 1; page <= mostPages; page += 1) {
        const { data, meta } = await read(planOf(page))
        const rows = rowsOf(data)
        for (const row of rows) byId.set(idOf(row), row)
        moved ||= page > 1 && meta?.total !== total
        total = meta?.total
        if (moved) break
        const last = total === undefined ? rows.length < perPage : page * perPage >= total
        if (last || rows.length === 0) break
      }
      if (!moved)
        return { rows: [...byId.values()], complete: total !== undefined && byId.size >= total, moved }
    }
    return { rows: [], complete: false, moved: true }
  }

  const members = (query: Readonly<Record<string, string>>) =>
    readAllPages<Member>(
      (page) => membersPlan(query, page),
      (data) => memberListReader.tolerant.parse(data),
      ({ id }) => id,
    )

  return {
    read,
    members,
    /** Entries since `from` (ms, the service's clock), of any type: a deduction may be `deduct` or `adjust`. */
    ledger(member_id: string, from: number | undefined) {
      const query = from === undefined ? {} : { from: new Date(from).toISOString() }
      const operation = "GET /members/{member_id}/transactions"
      return readAllPages<Transaction>(
        (page) => planById(operation, { member_id }, { ...query, page, per_page: perPage }),
        (data) => transactionListReader.tolerant.parse(data),
        ({ transaction_id }) => transaction_id,
      )
    },
    async balance(member_id: string): Promise<Balance> {
      const { data } = await read(planById("GET /members/{member_id}/balance", { member_id }))
      return balanceReader.tolerant.parse(data)
    },
    /** Reads until a short page, because the service returns no total. */
    async orders(member_id: string): Promise<Order[]> {
      const byId = new Map<string, Order>()
      for (let page = 1; page <= mostOrderPages; page += 1) {
        const { data } = await read(planById("GET /orders", {}, { member_id, page, per_page: perPage }))
        const rows = orderListReader.tolerant.parse(data)
        for (const row of rows) byId.set(row.order_id, row)
        if (rows.length < perPage) break
      }
      return [...byId.values()]
    },
    /** Finds members by unique lower-case e-mails: by searches or by reading all members, whichever is cheaper. */
    async findMembers(emails: readonly string[], onFound: (some: MembersByEmail) => Promise<void>) {
      if (emails.length > fewEmails) {
        const { meta } = await read(membersPlan({}, 1))
        const pages = Math.ceil((meta?.total ?? Infinity) / perPage)
        if (pages < emails.length) {
          const { rows, complete } = await members({})
          if (complete) return onFound(byEmail(rows, emails))
        }
      }
      const left = [...emails]
      const search = async () => {
        for (let email = left.shift(); email !== undefined; email = left.shift()) {
          signal?.throwIfAborted()
          const { rows, moved } = await members({ search: email })
          // An incomplete search does not prove that the member is missing.
          if (moved) throw unreadable("program", 200, "its search for an e-mail has no end")
          await onFound(byEmail(rows, [email]))
        }
      }
      await Promise.all(Array.from({ length: Math.min(maxSearches, emails.length) }, search))
    },
  }
}

function membersPlan(query: Readonly<Record<string, string>>, page: number): ReadPlan {
  return planById("GET /members", {}, { ...query, page, per_page: perPage })
}

function isTransient(result: UpstreamResult): boolean {
  if (result.kind === "no_answer" || result.kind === "not_sent") return true
  return result.kind === "unreadable" || result.status >= 500
}

function byEmail(members: readonly Member[], emails: readonly string[]): MembersByEmail {
  const matches = new Map<string, Member[]>(emails.map((email) => [email, []]))
  for (const member of members) matches.get(memberEmail(member) ?? "")?.push(member)
  return matches
}

/** The e-mail as members are compared by it; undefined without one. */
export function memberEmail({ email }: Member): string | undefined {
  return (
    exactText(email ?? "")
      .trim()
      .toLowerCase() || undefined
  )
}

/** The name shown on rows; the e-mail for a member without a name. */
export function memberLabel({ first_name, last_name, email }: Member): string | null {
  return [first_name, last_name].filter(Boolean).join(" ") || (email ?? null)
}

/** Refused keys, rate limits and time-outs: they are transient or pause the whole job. */
const transientStatuses: ReadonlySet<number> = new Set([401, 403, 408, 429])

/** `missing` for a record that does not exist, otherwise the service's refusal. Rethrows transient failures. */
export function refusedRead(error: unknown, missing: RowOutcomeCode): RowOutcome {
  if (!(error instanceof AppError)) throw error
  if (error.code === "not_found") return rowOutcome(missing)
  const { upstream_status: status = 500, upstream_code: code } = error.details ?? {}
  if (error.code !== "refused_by_service" || status >= 500 || transientStatuses.has(status)) throw error
  return { code: code ?? "refused_by_service", message: error.message }
}

/** Fails the row, or leaves it to a person after an unknown attempt, where a refusal proves nothing. */
export function refusal({ hadUnknownAttempt }: RowRecord, outcome: RowOutcome): Precheck {
  if (!hadUnknownAttempt) return { kind: "failed", outcome }
  const message = outcome.message.replace(/Nothing was (changed|redeemed|done)\./, "Nothing was sent again.")
  return { kind: "conflict", outcome: { code: outcome.code, message } }
}

/** The lookup result for a record that does not exist; rethrows any other failure. */
export function noRecord(error: unknown): Lookup {
  if (error instanceof AppError && error.code === "not_found") return { kind: "no_record" }
  throw error
}

/** Throws 422 on the field if the id cannot be part of a path. */
export function requirePathId(field: string, id: string): void {
  if (encodeId(id) === undefined) throw invalid(422, [{ field, message: "No record can have this id." }])
}
