import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

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
