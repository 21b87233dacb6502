import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode } from "react"
import { useEffect, useId, useState } from "react"
import { createPortal } from "react-dom"
import classes from "./floating.module.css"

type TargetProps = Pick<
  HTMLAttributes<HTMLElement>,
  "aria-describedby" | "onPointerEnter" | "onPointerLeave" | "onFocus" | "onBlur"
>

/** Delay before a tooltip shows, and time to reach it with the pointer, in ms. */
const delays = { show: 300, hide: 80 }

/**
 * A control's description: shown on hover after a delay, on keyboard focus immediately; closed by Escape, scrolling and
 * leaving, and hoverable itself. A native popover, positioned by CSS: Mantine's tooltip would add a positioning engine
 * of 18 KB to every page.
 */
export function Tooltip(props: {
  label: ReactNode
  /** One element that passes its event handlers on to the DOM. */
  children: ReactElement<TargetProps>
  side?: "top" | "right"
  disabled?: boolean
}) {
  const { label, children, side = "top", disabled = false } = props
  const id = useId()
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const [timer] = useState(makeTimer)
  useEffect(() => timer.stop, [timer])
  const later = (next: HTMLElement | null, after: number) => timer.start(() => setTarget(next), after)
  const shown = target !== null && !disabled
  const own = children.props
  return (
    <>
      {cloneElement(children, {
        "aria-describedby": shown ? id : own["aria-describedby"],
        onPointerEnter: (event) => {
          own.onPointerEnter?.(event)
          if (event.pointerType !== "touch") later(event.currentTarget, delays.show)
        },
        onPointerLeave: (event) => {
          own.onPointerLeave?.(event)
          later(null, delays.hide)
        },
        onFocus: (event) => {
          own.onFocus?.(event)
          if (event.currentTarget.matches(":focus-visible")) later(event.currentTarget, 0)
        },
        onBlur: (event) => {
          own.onBlur?.(event)
          later(null, 0)
        },
      })}
      {shown && (
        <Bubble {...{ id, target, side }} onEnter={timer.stop} onLeave={() => later(null, 0)}>
          {label}
        </Bubble>
      )}
    </>
  )
}

function makeTimer() {
  let running: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(running)
  const start = (run: () => void, after: number) => {
    stop()
    running = setTimeout(run, after)
  }
  return { start, stop }
}

function Bubble(props: {
  id: string
  target: HTMLElement
  side: "top" | "right"
  onEnter: () => void
  onLeave: () => void
  children: ReactNode
}) {
  const { id, target, side, onEnter, onLeave, children } = props
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === "Escape") onLeave()
    }
    window.addEventListener("keydown", press)
    window.addEventListener("scroll", onLeave, true)
    return () => {
      window.removeEventListener("keydown", press)
      window.removeEventListener("scroll", onLeave, true)
    }
  })
  return createPortal(
    <div
      // CSS positions it at the source.
      ref={(bubble) => bubble?.showPopover({ source: target })}
      id={id}
      role="tooltip"
      popover="manual"
      className={`l-meta l-num ${classes.tooltip}`}
      data-side={side}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      {children}
    </div>,
    document.body,
  )
}
