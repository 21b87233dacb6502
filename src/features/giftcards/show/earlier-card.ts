import type { JobRow } from "../../../../contract/job-rows.ts"

/** Id of the card that has a row's reference already; undefined for every other outcome. It begins the message. */
export function earlierCardOf({ outcome }: Pick<JobRow, "outcome">): string | undefined {
  if (outcome?.code !== "earlier_card") return undefined
  return /^(\S+): /.exec(outcome.message)?.[1]
}
