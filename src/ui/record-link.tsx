import { Link, type LinkComponent, type NavigateOptions, useRouter } from "@tanstack/react-router"
import type { ComponentProps, MouseEvent } from "react"

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
