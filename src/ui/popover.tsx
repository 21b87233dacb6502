import { Suspense, useId, useState, type ReactNode } from "react"
import classes from "./floating.module.css"

interface PopoverButtonProps {
  popoverTarget: string
  "aria-expanded": boolean
  "aria-haspopup": "dialog"
  "aria-controls": string
}

/** A panel at its button: the browser's own popover, placed by CSS. It takes the focus and gives it back. Its content may be lazy. */
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
        // A closed panel is no dialog: the list's keys look for one.
        {...(open ? { role: "dialog", "aria-label": label } : {})}
        tabIndex={-1}
        className={classes.panel}
        data-align={align}
        // Escape in the panel closes the panel, not the drawer around it.
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
 * A panel closes when the focus goes elsewhere, and takes it when what had it is gone or disabled. It listens by itself:
 * React passes nothing on while it removes an element.
 */
function holdFocus(panel: HTMLElement | null) {
  panel?.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Element))
      setTimeout(() => {
        if (document.activeElement === document.body && panel.matches(":popover-open")) panel.focus()
      })
    // What is pressed outside is the browser's to judge: a press on the panel's own button would open it again.
    else if (!panel.contains(relatedTarget) && !relatedTarget.matches(":active")) panel.hidePopover()
  })
}
