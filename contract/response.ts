import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { recordText } from "./program/common.ts"

export const apis = ["program", "giftcard"] as const
export type Api = (typeof apis)[number]

/** Codes of Laurel's own errors (docs/api/laurel.md). What the services refuse keeps their code. */
export const appErrorCodes = [
  "bad_request",
  "body_too_large",
  "budget_spent",
  "conflict",
  "forbidden",
  "guard_missing",
  "internal",
  "method_not_allowed",
  "not_connected",
  "not_found",
  "not_synced",
  "outcome_unknown",
  "over_limit",
  "refused_by_service",
  "session_required",
  "store_unavailable",
  "too_many_attempts",
  "unreadable_answer",
  "upstream_limited",
  "upstream_unreachable",
  "use_jobs",
  "validation",
  "wrong_credentials",
] as const
export type AppErrorCode = (typeof appErrorCodes)[number]

/** Why a response is older than its cache time allows (`X-Laurel-Stale-Reason`, docs/reads.md). */
export const staleReason = z.enum([
  "budget_spent",
  "upstream_limited",
  "slow",
  "upstream_unreachable",
  "unreadable_answer",
  "refused_by_service",
  "store_unavailable",
])
export type StaleReason = z.output<typeof staleReason>

const waitingReasons: ReadonlySet<StaleReason> = new Set(["budget_spent", "upstream_limited", "slow"])

/** Whether a newer response is on its way, which the page then shows without a reload. */
export function isUpdating(
  response: { readonly staleReason?: StaleReason | undefined } | undefined,
): boolean {
  return response?.staleReason !== undefined && waitingReasons.has(response.staleReason)
}

/** Position in a list, under the names the program service uses. `total` is absent where unknown. */
export const responseMeta = z.looseObject({
  page: z.optional(z.int()),
  per_page: z.optional(z.int()),
  total: z.optional(z.int()),
  next: z.optional(z.nullable(z.string())),
})
export type ResponseMeta = z.output<typeof responseMeta>

const fieldProblem = z.object({ field: z.string(), message: z.string() })
export type FieldProblem = z.output<typeof fieldProblem>

/** An error response. `api`, `upstream_status` and `upstream_code` say what a service sent. */
export const appError = z.looseObject({
  success: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
    details: z.optional(
      z.looseObject({
        fields: z.optional(z.array(fieldProblem)),
        api: z.optional(z.enum(apis)),
        upstream_status: z.optional(z.int()),
        upstream_code: z.optional(z.nullable(z.string())),
      }),
    ),
  }),
})
export type AppErrorBody = z.output<typeof appError>["error"]

/** Body of `POST /api/exports`. The pages are then read with the header `X-Laurel-Export: <id>`. */
export const createExportBody = z.strictObject({
  kind: z.enum(["members", "ledger", "orders", "cards", "rewards", "books"]),
  member_id: z.optional(recordText(limits.shortText)),
  filter: z.optional(z.record(z.string(), recordText(limits.shortText))),
})

export const exportTicket = z.object({ id: z.string() })

/** How many requests are left: what every page shows, so it comes with the session and with events. */
export const budgetState = z.object({
  api: z.enum(apis),
  limit: z.int(),
  left: z.int(),
  left_for_jobs: z.int(),
  /** ms until the next request of the reader may go: none left, or their share of the minute is used. Else 0. */
  next_in_ms: z.int(),
  waiting: z.int(),
})
export type BudgetState = z.output<typeof budgetState>

/** Responses carry the budget for roles that may see it, so that no page has to request it. */
export const budgetHeader = "X-Laurel-Budget"

/** The budget as that header: `program;60;48;38;0;0, giftcard;60;60;60;0;0`, fields in the order of `budgetState`. */
export function writeBudget(states: readonly BudgetState[]): string {
  return states
    .map((one) => [one.api, one.limit, one.left, one.left_for_jobs, one.next_in_ms, one.waiting].join(";"))
    .join(", ")
}

/** Parses that header; undefined without one, or for another version. */
export function readBudget(header: string | null): BudgetState[] | undefined {
  const states = header?.split(", ").map((text) => {
    const [api, ...numbers] = text.split(";")
    const [limit, left, left_for_jobs, next_in_ms, waiting] = numbers.map(Number)
    return { api, limit, left, left_for_jobs, next_in_ms, waiting }
  })
  return z.array(budgetState).safeParse(states).data
}
