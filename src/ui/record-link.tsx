import { Link, type LinkComponent, type NavigateOptions, useRouter } from "@tanstack/react-router"
import type { ComponentProps, MouseEvent, ReactNode } from "react"
import type { ReferenceHolder } from "../../contract/cards.ts"
import { formatCount } from "../lib/format.ts"

/** The linked record; its id is the text by default. */
interface RecordLinkProps {
  id: string
  text?: string | null | undefined
}

/** Link to a member's page. */
export function MemberLink({ id, text }: RecordLinkProps) {
  return <Link to="/members/$memberId" params={{ memberId: id }} {...lookOf(id, text)} />
}

/** Link to an order's page. */
export function OrderLink({ id, text }: RecordLinkProps) {
  return <Link to="/orders/$orderId" params={{ orderId: id }} {...lookOf(id, text)} />
}

/** Link to a gift card's page. */
export function CardLink({ id, text }: RecordLinkProps) {
  return <Link to="/cards/$cardId" params={{ cardId: id }} {...lookOf(id, text)} />
}

function lookOf(id: string, text: string | null | undefined) {
  return text ? { className: "l-link", children: text } : { className: "l-link l-mono", children: id }
}

/**
 * A router link for list cells, without location subscription: with hundreds of cells the router's own link would slow
 * each navigation. If it preserves the current search, opening it in another tab omits that search.
 */
export const CellLink = PlainLink as unknown as LinkComponent<"a">

function PlainLink(props: NavigateOptions & ComponentProps<"a">) {
  const { to = ".", from, params, search, resetScroll, children, ...anchor } = props
  const router = useRouter()
  const ids: Readonly<Record<string, unknown>> = { ...(typeof params === "object" && params) }
  const path = to.replace(/^\.$|\$(\w+)/g, (_, name: string) =>
    name ? encodeURIComponent(String(ids[name])) : "",
  )
  const query = typeof search === "function" ? router.options.stringifySearch(search({})) : ""
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ to, from, params, search, resetScroll } as NavigateOptions)
  }
  return (
    <a {...anchor} href={path + query} onClick={follow}>
      {children}
    </a>
  )
}

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
