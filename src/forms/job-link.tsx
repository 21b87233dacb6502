import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { ReferenceHolder } from "../../contract/cards.ts"
import { formatCount } from "../lib/format.ts"
import { CardLink } from "../ui/record-link.tsx"

/** Where a job's page is. */
export function jobAddress(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`
}

/** Leads to a job's page. */
export function JobLink({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <Link to={jobAddress(id)} className="l-link">
      {children ?? id}
    </Link>
  )
}

/** Leads to a row of a job, on the job's page. */
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

/** Leads to the card that has a reference, or to the row that has claimed it and issued no card yet. */
export function ReferenceHolderLink({ by }: { by: ReferenceHolder }) {
  if (by.card_id !== null) return <CardLink id={by.card_id} text={`Open card ${by.card_id}`} />
  if (by.job === null) return null
  return (
    <JobLink id={by.job.id}>
      Open job {by.job.id}, row {by.job.row}
    </JobLink>
  )
}
