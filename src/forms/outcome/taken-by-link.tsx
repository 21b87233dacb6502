import { Link } from "@tanstack/react-router"
import type { TakenBy } from "../../../contract/job-rows.ts"
import { JobLink } from "./job-link.tsx"

/** Leads to the card that has a reference, or to the row that has claimed it and issued no card yet. */
export function TakenByLink({ by }: { by: TakenBy }) {
  if (by.card_id !== null) {
    return (
      <Link to="/cards/$cardId" params={{ cardId: by.card_id }} className="l-link">
        Open card {by.card_id}
      </Link>
    )
  }
  if (by.job === null) return null
  return (
    <JobLink id={by.job.id}>
      Open job {by.job.id}, row {by.job.row}
    </JobLink>
  )
}
