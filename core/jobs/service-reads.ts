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
import { foundNoPermit } from "../gateway/caller.ts"
import { unreadable } from "../gateway/outcome.ts"
import { parseResponse, planById, type ReadPlan } from "../gateway/upstream-read.ts"
import { encodeId } from "../match.ts"
import type { UpstreamOutcome } from "../ports.ts"
import { jobRequester, type EngineContext } from "./engine-context.ts"
import type { Lookup, Outcome, Precheck } from "./job-kind.ts"
import type { RowRecord } from "./job-store.ts"

/** The services send times to the second, so two clocks are compared with this much tolerance, in ms. */
export const clockSlackMs = 2000
const againMs = 100
/** How long one wait for a permit may last, in ms; background work then waits again. */
const permitWaitMs = { people: 20_000, jobs: 300_000 }
const perPage = limits.perPage.max
const mostStarts = 5
/** More pages than these are no history, and no orders, of one member. */
const mostPages = 2000
const mostOrderPages = 200
/** Up to this many e-mails are searched one by one without first reading how many members there are. */
const fewEmails = 3
const searchesAtOnce = 6

export type MembersByEmail = ReadonlyMap<string, readonly Member[]>

/**
 * What the engine reads for a job: always fresh, and with the service's time noted. All of it throws AppError for what
 * is not a usable response, and the reason of the context's signal.
 */
export function readsFor(context: EngineContext & { readonly job: Parameters<typeof jobRequester>[0] }) {
  const { caller, clock, drift, signal, time } = context
  const requester = jobRequester(context.job)

  async function read(plan: ReadPlan) {
    let found = await requestOnce(plan)
    // Background work has time: what a long reading has seen so far is not thrown away for one page.
    const tries = requester.lane === "jobs" ? 5 : 2
    for (let tried = 1; tried < tries && mayPass(found.outcome); tried += 1) {
      if (tried > 1) await clock.sleep(againMs * 2 ** tried, signal)
      found = await requestOnce(plan)
    }
    const parsed = parseResponse(plan, found.outcome, found, "money")
    drift.add(plan.operation.api, plan.operation.id, parsed.drift)
    return parsed.response
  }

  async function requestOnce({ operation: { api, id }, path, query }: ReadPlan) {
    for (;;) {
      try {
        const askedAt = clock.monotonic()
        const deadline = askedAt + permitWaitMs[requester.lane]
        const call = { operation: id, api, method: "GET", path, query, deadline, signal } as const
        const outcome = await caller.send({ ...requester, ...call })
        time.noteServiceTime(api, outcome.kind === "answer" ? outcome.serviceTime : undefined)
        return { outcome, askedAt, answeredAt: clock.monotonic() }
      } catch (error) {
        if (requester.lane !== "jobs" || !foundNoPermit(error)) throw error
      }
    }
  }

  /**
   * Reads pages until as many rows were seen as the list has; when the total moves, rows may have slipped from one page
   * to another, so it begins again. `moved`: it never stood still.
   */
  async function readWhole<T>(
    planOf: (page: number) => ReadPlan,
    rowsOf: (data: unknown) => readonly T[],
    idOf: (row: T) => string,
  ): Promise<{ readonly rows: readonly T[]; readonly complete: boolean; readonly moved: boolean }> {
    for (let start = 1; start <= mostStarts; start += 1) {
      const seen = new Map<string, T>()
      let total: number | undefined
      let moved = false
      for (let page = 1; page <= mostPages; page += 1) {
        const { data, meta } = await read(planOf(page))
        const rows = rowsOf(data)
        for (const row of rows) seen.set(idOf(row), row)
        moved ||= page > 1 && meta?.total !== total
        total = meta?.total
        if (moved) break
        const last = total === undefined ? rows.length < perPage : page * perPage >= total
        if (last || rows.length === 0) break
      }
      if (!moved)
        return { rows: [...seen.values()], complete: total !== undefined && seen.size >= total, moved }
    }
    return { rows: [], complete: false, moved: true }
  }

  const members = (query: Readonly<Record<string, string>>) =>
    readWhole<Member>(
      (page) => membersPlan(query, page),
      (data) => memberListReader.tolerant.parse(data),
      ({ id }) => id,
    )

  return {
    read,
    members,
    /** From a time on (ms, the service's clock). Types are not filtered: a deduction may be `deduct` or `adjust`. */
    ledger(member_id: string, from: number | undefined) {
      const query = from === undefined ? {} : { from: new Date(from).toISOString() }
      const operation = "GET /members/{member_id}/transactions"
      return readWhole<Transaction>(
        (page) => planById(operation, { member_id }, { ...query, page, per_page: perPage }),
        (data) => transactionListReader.tolerant.parse(data),
        ({ transaction_id }) => transaction_id,
      )
    },
    async balance(member_id: string): Promise<Balance> {
      const { data } = await read(planById("GET /members/{member_id}/balance", { member_id }))
      return balanceReader.tolerant.parse(data)
    },
    /** Pages are read until a short one, because the service gives no total. */
    async orders(member_id: string): Promise<Order[]> {
      const found = new Map<string, Order>()
      for (let page = 1; page <= mostOrderPages; page += 1) {
        const { data } = await read(planById("GET /orders", {}, { member_id, page, per_page: perPage }))
        const rows = orderListReader.tolerant.parse(data)
        for (const row of rows) found.set(row.order_id, row)
        if (rows.length < perPage) break
      }
      return [...found.values()]
    },
    /**
     * Finds members by e-mail (lower case, each once): by searches, or by reading all, whichever takes fewer requests.
     */
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
          // A member who was not seen may exist all the same.
          if (moved) throw unreadable("program", 200, "its search for an e-mail has no end")
          await onFound(byEmail(rows, [email]))
        }
      }
      await Promise.all(Array.from({ length: Math.min(searchesAtOnce, emails.length) }, search))
    },
  }
}

function membersPlan(query: Readonly<Record<string, string>>, page: number): ReadPlan {
  return planById("GET /members", {}, { ...query, page, per_page: perPage })
}

function mayPass(outcome: UpstreamOutcome): boolean {
  if (outcome.kind === "no_answer" || outcome.kind === "not_sent") return true
  return outcome.kind === "unreadable" || outcome.status >= 500
}

function byEmail(members: readonly Member[], emails: readonly string[]): MembersByEmail {
  const found = new Map<string, Member[]>(emails.map((email) => [email, []]))
  for (const member of members) found.get(memberEmail(member) ?? "")?.push(member)
  return found
}

export function memberEmail({ email }: Member): string | undefined {
  return (
    exactText(email ?? "")
      .trim()
      .toLowerCase() || undefined
  )
}

export function memberLabel({ first_name, last_name, email }: Member): string | null {
  return [first_name, last_name].filter(Boolean).join(" ") || (email ?? null)
}

/** Refusals of a key or a rate, and time-outs: they pass, or stop the whole job. */
const passing: ReadonlySet<number> = new Set([401, 403, 408, 429])

/** `missing` for a record that does not exist, else the service's refusal; failures that pass are thrown on. */
export function refusedRead(error: unknown, missing: RowOutcomeCode): Outcome {
  if (!(error instanceof AppError)) throw error
  if (error.code === "not_found") return rowOutcome(missing)
  const { upstream_status: status = 500, upstream_code: code } = error.details ?? {}
  if (error.code !== "refused_by_service" || status >= 500 || passing.has(status)) throw error
  return { code: code ?? "refused_by_service", message: error.message }
}

/** After a call whose end is unknown a refusal proves nothing, so a person decides. */
export function refusal({ doubtful }: RowRecord, outcome: Outcome): Precheck {
  if (!doubtful) return { kind: "failed", outcome }
  const message = outcome.message.replace(/Nothing was (changed|redeemed)\./, "Nothing was sent again.")
  return { kind: "conflict", outcome: { code: outcome.code, message } }
}

/** What a lookup shows whose record does not exist; any other failure is thrown on. */
export function noRecord(error: unknown): Lookup {
  if (error instanceof AppError && error.code === "not_found") return { kind: "no_record" }
  throw error
}

/** Checks that a path of the service can name this record; throws 422 on the field. */
export function requirePathId(field: string, id: string): void {
  if (encodeId(id) === undefined) throw invalid(422, [{ field, message: "No record can have this id." }])
}
