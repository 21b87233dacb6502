import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { ReferenceHolder } from "../../contract/cards.ts"
import { formatCount } from "../lib/format.ts"
import { CardLink } from "../ui/record-link.tsx"

/** Path of a job's page. */
export function jobAddress(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`
}

/** Link to a job's page. */
export function JobLink({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <Link to={jobAddress(id)} className="l-link">
      {children ?? id}
    </Link>
  )
}

/** Link to a row on its job's page. */
export function RowLink({
  of: { job, row },
  children,
}: {
  of: { job: string; row: number }
  children?: ReactNode
}) {
  return (
    <Link to={jobAddress(job)} search={{ row }} className="l-link">
      {children ?? `${job}, row ${formatCount(row)}`}
    </Link>
  )
}

/** Link to the card with a reference, or to the row that has claimed it without issuing a card yet. */
export function ReferenceHolderLink({ by }: { by: ReferenceHolder }) {
  if (by.card_id !== null) return <CardLink id={by.card_id} text={`Open card ${by.card_id}`} />
  if (by.job === null) return null
  return (
    <JobLink id={by.job.id}>
      Open job {by.job.id}, row {by.job.row}
    </JobLink>
  )
}
