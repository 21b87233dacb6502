import { Link } from "@tanstack/react-router"

/** A record to lead to: its id is shown where there is no `text`. */
interface RecordLinkProps {
  id: string
  text?: string | null | undefined
}

/** Leads to a member's page. */
export function MemberLink({ id, text }: RecordLinkProps) {
  return <Link to="/members/$memberId" params={{ memberId: id }} {...lookOf(id, text)} />
}

/** Leads to an order's page. */
export function OrderLink({ id, text }: RecordLinkProps) {
  return <Link to="/orders/$orderId" params={{ orderId: id }} {...lookOf(id, text)} />
}

/** Leads to a gift card's page. */
export function CardLink({ id, text }: RecordLinkProps) {
  return <Link to="/cards/$cardId" params={{ cardId: id }} {...lookOf(id, text)} />
}

function lookOf(id: string, text: string | null | undefined) {
  return text ? { className: "l-link", children: text } : { className: "l-link l-mono", children: id }
}
