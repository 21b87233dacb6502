import { useEffect } from "react"

/** What in a row has a use of its own. */
const ownUse = "a, button, input, label, select, textarea, summary"

/**
 * Lets the parts of a row that lie above its link (text with a tooltip) act as the link: a plain click opens the
 * record, with Ctrl, Cmd, Shift or the middle button in another tab. Text that is being selected opens nothing.
 */
export function useRowClicks(rows: HTMLElement | null): void {
  useEffect(() => {
    rows?.addEventListener("click", follow)
    rows?.addEventListener("auxclick", follow)
    return () => {
      rows?.removeEventListener("click", follow)
      rows?.removeEventListener("auxclick", follow)
    }
  }, [rows])
}

function follow(event: MouseEvent): void {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(ownUse) !== null) return
  const link = target.closest("[data-row]")?.querySelector<HTMLElement>("[data-row-link]")
  if (!link) return
  if (event.type === "auxclick") {
    if (event.button === 1 && link instanceof HTMLAnchorElement)
      globalThis.open(link.href, "_blank", "noopener")
    return
  }
  if (globalThis.getSelection()?.isCollapsed === false) return
  const { ctrlKey, metaKey, shiftKey } = event
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}
