import * as z from "zod/mini"
import { textParam } from "../../../lists/list-params.ts"

/** The issue drawer's part of an address: the member it is `for`, and the job it was `issued` by. */
export const issueSearch = z.object({
  for: z.catch(z.optional(z.string()), undefined),
  issued: textParam(40),
})

/** What the drawer is about, and the ways inside it. Steps replace each other: Back leaves it. */
export interface IssueAddress {
  readonly memberId: string | undefined
  readonly jobId: string | undefined
  readonly go: (change: { readonly for?: undefined; readonly issued: string | undefined }) => void
  readonly close: () => void
}
