import { useClickOutside, useHotkeys } from "@mantine/hooks"
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from "react"
import classes from "./drop.module.css"
import { placeDrop, type DropAlign } from "./place-drop.ts"

/** What the button that opens a panel has to carry. */
export interface PopoverButtonProps {
  onClick: () => void
  "aria-expanded": boolean
  "aria-haspopup": "dialog"
  "aria-controls": string
}

interface DropProps {
  /** What the panel is; read aloud. */
  label: string
  /** Draws the button; spread what it gets on it. */
  renderButton: (props: PopoverButtonProps) => ReactNode
  /** Which edge of the button the panel keeps to. */
  align?: DropAlign
  /** Width of the panel in px; without it the panel is as wide as what it holds. */
  width?: number
  /** The panel, fetched or drawn only while it is open. */
  children: (close: () => void) => ReactNode
}

/**
 * A panel under its button, for a few fields or a short list. Takes the focus; Escape and leaving close it, Escape
 * gives the focus back. Without Mantine's positioning engine, which would be a tenth of a list page's first view.
 */
export function Popover({ label, renderButton, align = "start", width, children }: DropProps) {
  const id = useId()
  // `left` when the focus belongs back on the button.
  const [state, setState] = useState<"closed" | "open" | "left">("closed")
  const open = state === "open"
  const around = useClickOutside<HTMLSpanElement>(() => setState("closed"))
  const panel = useRef<HTMLElement>(null)
  const leave = () => setState("left")
  useHotkeys(open ? [["Escape", leave]] : [], [])

  useLayoutEffect(() => {
    if (!open || panel.current === null || around.current === null) return undefined
    const box = panel.current
    const anchor = around.current
    const place = () => placeDrop(box, anchor, align)
    place()
    // What it holds may arrive later and change its height.
    const observer = new ResizeObserver(place)
    observer.observe(box)
    window.addEventListener("resize", place)
    return () => {
      observer.disconnect()
      window.removeEventListener("resize", place)
    }
  }, [open, align, around])

  useEffect(() => {
    if (state === "open") panel.current?.focus({ preventScroll: true })
    if (state === "left") around.current?.querySelector<HTMLElement>("button")?.focus()
  }, [state, around])

  return (
    <span
      ref={around}
      className={classes.around}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setState("closed")
      }}
    >
      {renderButton({
        onClick: () => setState(open ? "closed" : "open"),
        "aria-expanded": open,
        "aria-haspopup": "dialog",
        "aria-controls": id,
      })}
      {open && (
        <section
          ref={panel}
          id={id}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- `dialog` may not carry a tabindex
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          className={classes.panel}
          style={{ width }}
        >
          {children(leave)}
        </section>
      )}
    </span>
  )
}
