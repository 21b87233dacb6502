import { useEffect, useState } from "react"

const dialogs = "dialog[open], [role=dialog]"

/** What had the focus last outside every dialog: one dialog may take another's place before the person is back. */
let outside: HTMLElement | null = null

/**
 * Gives the focus back to what opened a dialog when the dialog goes. Mantine does it for dialogs that stay and are
 * told to close; ours are there only while they are open. Call it in the dialog, before it takes the focus.
 */
export function useFocusBack(): void {
  const [opener] = useState(findOpener)
  useEffect(
    () => () => {
      // Later: the page that comes instead may give the focus to its heading.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return
        const back = [opener, outside].find((element) => element?.isConnected === true)
        // Another dialog that took its place has a focus of its own to set.
        const covered = document.querySelector(dialogs) !== null && back?.closest(dialogs) == null
        if (!covered) back?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}

function findOpener(): HTMLElement | null {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active === document.body) return null
  // The item of a menu goes with its menu; the menu's button stays.
  const button = active.closest("[role=menu]")?.getAttribute("aria-labelledby")
  const opener = button == null ? active : (document.getElementById(button) ?? active)
  if (opener.closest(dialogs) === null) outside = opener
  return opener
}
