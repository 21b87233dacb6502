import { useEffect, type RefObject } from "react"

/** What keeps what is typed: fields, and whatever lies over the page. */
const keeps = "input, textarea, select, [contenteditable], [role=dialog], dialog, [data-keeps-focus]"

/**
 * Keeps the focus in the field: at first, when the window comes back, after a click on the page, and for whatever is
 * typed while nothing else takes it. Tab still leads to every control.
 */
export function useKeepFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = () => {
      // In a moment: a click ends with the focus on what was clicked.
      setTimeout(() => {
        const { activeElement: active } = document
        const inTheWay = document.querySelector("[role=dialog], dialog[open]") !== null
        const taken = active instanceof HTMLElement && active !== field.current && active.matches(keeps)
        if (!inTheWay && !taken) field.current?.focus({ preventScroll: true })
      })
    }
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (target instanceof Element && target.closest(keeps) !== null) return
      field.current?.focus({ preventScroll: true })
    }
    const onClick = ({ target }: MouseEvent) => {
      const main = field.current?.closest("main")
      if (!(target instanceof Element) || main?.contains(target) !== true) return
      if (target.closest(`${keeps}, a`) !== null || getSelection()?.isCollapsed === false) return
      focus()
    }
    focus()
    document.addEventListener("keydown", onKey, true)
    document.addEventListener("click", onClick)
    window.addEventListener("focus", focus)
    return () => {
      document.removeEventListener("keydown", onKey, true)
      document.removeEventListener("click", onClick)
      window.removeEventListener("focus", focus)
    }
  }, [field])
}
