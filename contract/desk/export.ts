import * as z from "zod/mini"
import { limits } from "../limits.ts"
import { plainText } from "../program/text.ts"

/** What can be written to a file with people in it. */
export const exportKinds = ["members", "ledger", "orders", "cards"] as const

/**
 * Body of `POST /api/exports`: asks for the right to export and puts it in the audit log. The pages are then read in
 * the background lane with the header `X-Laurel-Export: <id>`.
 */
export const createExportBody = z.strictObject({
  kind: z.enum(exportKinds),
  /** Whose ledger. */
  member_id: z.optional(plainText(limits.shortText)),
  /** The list's filters, for the log. */
  filter: z.optional(z.record(z.string(), plainText(limits.shortText))),
})
/** What is exported. */
export type CreateExportBody = z.output<typeof createExportBody>

/** Answer of `POST /api/exports`. */
export const exportTicket = z.object({ id: z.string() })
