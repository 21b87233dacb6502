import { useEffect, type RefObject } from "react"

const writing = "input:not([type=checkbox]), textarea, select, [contenteditable=true]"
const dialog = "dialog[open], [role=dialog]"
const apart = `${dialog}, [role=menu], [role=listbox], [role=radiogroup], [role=tablist]`

/** Elements with list keys have this attribute. */
const lists = "[data-list]"

/**
 * Keys of a list or table: down and up (`j`, `k`) move between rows, Enter opens (the row's link or button has the
 * focus), `e` or F2 edits the row (`data-row-edit`), `x` selects, `/` focuses the search, Escape clears the selection. Ignored
 * while the user types or a dialog is open. With several lists, the focused one handles them, else the first.
 */
export function useListKeys(root: RefObject<HTMLElement | null>, onEscape?: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (root.current === null || !(target instanceof Element)) return
      if (target.closest(`${writing}, ${apart}`) !== null || document.querySelector(dialog)) return
      if ((target.closest(lists) ?? document.querySelector(lists)) !== root.current) return
      if (act(event.key, root.current, onEscape)) event.preventDefault()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [root, onEscape])
}

function act(key: string, root: HTMLElement, onEscape?: () => void): boolean {
  switch (key) {
    case "j":
    case "ArrowDown":
      return move(root, 1, key === "j")
    case "k":
    case "ArrowUp":
      return move(root, -1, key === "k")
    case "e":
    case "F2":
      return press(currentRow(root)?.querySelector<HTMLElement>("[data-row-edit]"))
    case "x":
      press(currentRow(root)?.querySelector<HTMLElement>("input[type=checkbox]"))
      return true
    case "/":
      root.querySelector<HTMLInputElement>("[data-list-search]")?.focus()
      return true
    case "Escape":
      onEscape?.()
      return false
    default:
      return false
  }
}

function press(control: HTMLElement | null | undefined): boolean {
  control?.click()
  return control != null
}

function move(root: HTMLElement, step: 1 | -1, anywhere: boolean): boolean {
  const { activeElement } = document
  const free = activeElement === null || activeElement === document.body || activeElement.matches("main, h1")
  const current = currentRow(root)
  if (!anywhere && !free && current === null) return false
  const links = [...root.querySelectorAll("[data-row]")].flatMap(
    (row) =>
      row.querySelector<HTMLElement>("[data-row-link]") ??
      row.querySelector<HTMLElement>("a[href], button:not(:disabled)") ??
      [],
  )
  const at = links.findIndex((link) => current?.contains(link) === true)
  const next = at < 0 ? links[0] : links[at + step]
  next?.focus()
  return next !== undefined || current !== null
}

function currentRow(root: HTMLElement): Element | null {
  const row = document.activeElement?.closest("[data-row]") ?? null
  return row !== null && root.contains(row) ? row : null
}
