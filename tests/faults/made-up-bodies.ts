import type * as z from "zod/mini"
import { awardBody, bulkAwardBody, deductBody } from "../../contract/program/points.ts"
import { createMemberBody } from "../../contract/program/member.ts"
import type { UpstreamCall } from "../../core/ports.ts"

/** One item of a write. */
export type WriteItem =
  | { readonly kind: "award"; readonly item: z.output<typeof awardBody>; readonly bulk: boolean }
  | { readonly kind: "deduct"; readonly item: z.output<typeof deductBody> }
  | { readonly kind: "member-create"; readonly item: z.output<typeof createMemberBody> }

/** The items of a write, in order. Throws on an undocumented body. */
export function writeItems({ path, body }: UpstreamCall): readonly WriteItem[] {
  switch (path) {
    case "/points/award":
      return [{ kind: "award", item: awardBody.parse(body), bulk: false }]
    case "/points/award/bulk":
      return bulkAwardBody.parse(body).awards.map((item) => ({ kind: "award", item, bulk: true }))
    case "/points/deduct":
      return [{ kind: "deduct", item: deductBody.parse(body) }]
    case "/members":
      return [{ kind: "member-create", item: createMemberBody.parse(body) }]
    default:
      throw new Error(`Unexpected write to ${path}.`)
  }
}
