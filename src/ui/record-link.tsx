import { Link, type LinkComponent, type NavigateOptions, useRouter } from "@tanstack/react-router"
import type { ComponentProps, MouseEvent } from "react"

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

/**
 * The router's link for a cell of a list: an anchor that follows nothing. The router's own one listens to every
 * navigation, which hundreds of cells would pay for at each click. Opened in another tab, a link that keeps the
 * address's search leads to the page without it.
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
