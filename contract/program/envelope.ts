import * as z from "zod/mini"

/** Where a list stands (docs/api/program.md, Envelope). Present on members, transactions and rewards only. */
export const paginationMeta = z.looseObject({
  page: z.int(),
  per_page: z.int(),
  total: z.int(),
})
/** Where a list stands: page from 1, rows a page, rows in all. */
export type PaginationMeta = z.output<typeof paginationMeta>

/** A success answer of the program service. `meta` is left out by orders and leaderboards. */
export const successEnvelope = z.looseObject({
  success: z.optional(z.literal(true)),
  data: z.unknown(),
  meta: z.optional(z.nullable(paginationMeta)),
})

/** An error answer of the program service (docs/api/program.md, Errors). */
export const errorEnvelope = z.looseObject({
  success: z.optional(z.literal(false)),
  error: z.looseObject({
    code: z.optional(z.nullable(z.string())),
    message: z.optional(z.nullable(z.string())),
  }),
})
