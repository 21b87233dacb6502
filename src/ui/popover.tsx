import { Suspense, useId, useState, type ReactNode } from "react"
import classes from "./floating.module.css"

interface PopoverButtonProps {
  popoverTarget: string
  "aria-expanded": boolean
  "aria-haspopup": "dialog"
  "aria-controls": string
}

/**
 * A panel at its button: a native popover, positioned by CSS. It takes the focus and returns it. Its content may be
 * lazy.
 */
export function Popover(props: {
  label: string
  renderButton: (props: PopoverButtonProps) => ReactNode
  align?: "start" | "end"
  width?: number
  children: (close: () => void) => ReactNode
}) {
  const { label, renderButton, align = "start", width, children } = props
  const id = useId()
  const [open, setOpen] = useState(false)
  const close = () => document.getElementById(id)?.hidePopover()
  return (
    <>
      {renderButton({
        popoverTarget: id,
        "aria-expanded": open,
        "aria-haspopup": "dialog",
        "aria-controls": id,
      })}
      <div
        id={id}
        ref={holdFocus}
        popover="auto"
        // A closed panel must not be a dialog: list keys look for open ones.
        {...(open ? { role: "dialog", "aria-label": label } : {})}
        tabIndex={-1}
        className={classes.panel}
        data-align={align}
        // Escape in the panel closes the panel, not the drawer that contains it.
        data-mantine-stop-propagation
        style={{ width }}
        onToggle={({ newState, currentTarget, target }) => {
          if (target !== currentTarget) return
          setOpen(newState === "open")
          if (newState === "open") currentTarget.focus({ preventScroll: true })
        }}
      >
        {open && <Suspense>{children(close)}</Suspense>}
      </div>
    </>
  )
}

/**
 * Closes the panel on blur, and focuses it when the focused element was removed or disabled. Native listeners, because
 * React dispatches no event for a removed element.
 */
function holdFocus(panel: HTMLElement | null) {
  panel?.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Element))
      setTimeout(() => {
        if (document.activeElement === document.body && panel.matches(":popover-open")) panel.focus()
      })
    // Outside presses are left to the browser: closing here would reopen the panel when its button is pressed.
    else if (!panel.contains(relatedTarget) && !relatedTarget.matches(":active")) panel.hidePopover()
  })
}
