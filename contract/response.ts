import * as z from "zod/mini"
import { limits } from "./limits.ts"
import { plainText } from "./program/common.ts"

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

/** Where a list stands, under the names the program service uses. `total` is absent where nobody knows it. */
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
        api: z.optional(z.enum(["program", "giftcard"])),
        upstream_status: z.optional(z.int()),
        upstream_code: z.optional(z.nullable(z.string())),
      }),
    ),
  }),
})
export type AppErrorBody = z.output<typeof appError>["error"]

/** Body of `POST /api/exports`. The pages are then read with the header `X-Laurel-Export: <id>`. */
export const createExportBody = z.strictObject({
  kind: z.enum(["members", "ledger", "orders", "cards"]),
  member_id: z.optional(plainText(limits.shortText)),
  filter: z.optional(z.record(z.string(), plainText(limits.shortText))),
})

export const exportTicket = z.object({ id: z.string() })
