import {
  cloneElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from "react"
import { createPortal } from "react-dom"
import classes from "./tip.module.css"
import { placeTip, type TipSide } from "./place-tip.ts"

interface TargetProps {
  "aria-describedby"?: string | undefined
  onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined
  onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined
  onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined
  onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined
}

interface TipProps {
  label: ReactNode
  /** One element that passes its event handlers on to the DOM. */
  children: ReactElement<TargetProps>
  side?: TipSide
  disabled?: boolean
}

/** How long the pointer rests before a tooltip shows, and how long it may take to reach it, in ms. */
const delays = { show: 300, hide: 80 }

/**
 * A tooltip: on hover after a moment, on keyboard focus at once; Escape, scrolling and leaving close it, and it
 * can be pointed at. Our own, because it is on every page and Mantine's brings a positioning engine of 18 KB.
 */
export function Tooltip({ label, children, side = "top", disabled = false }: TipProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [timer] = useState(makeTimer)
  useEffect(() => timer.stop, [timer])

  const change = (target: HTMLElement | null, after: number) => timer.start(() => setAnchor(target), after)
  const own = children.props
  const target = cloneElement(children, {
    "aria-describedby": anchor !== null && !disabled ? id : own["aria-describedby"],
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      own.onPointerEnter?.(event)
      if (event.pointerType !== "touch") change(event.currentTarget, delays.show)
    },
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      own.onPointerLeave?.(event)
      change(null, delays.hide)
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(":focus-visible")) change(event.currentTarget, 0)
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      own.onBlur?.(event)
      change(null, 0)
    },
  })
  return (
    <>
      {target}
      {anchor !== null && !disabled && (
        <Bubble id={id} anchor={anchor} side={side} onEnter={timer.stop} onLeave={() => change(null, 0)}>
          {label}
        </Bubble>
      )}
    </>
  )
}

/** One thing to do later; starting again forgets the one before. */
function makeTimer() {
  let running: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(running)
  const start = (run: () => void, after: number) => {
    stop()
    running = setTimeout(run, after)
  }
  return { start, stop }
}

interface BubbleProps {
  id: string
  anchor: HTMLElement
  side: TipSide
  onEnter: () => void
  onLeave: () => void
  children: ReactNode
}

function Bubble({ id, anchor, side, onEnter, onLeave, children }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (bubble.current !== null) placeTip(bubble.current, anchor, side)
  })

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") onLeave()
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
      ref={bubble}
      id={id}
      role="tooltip"
      className={classes.tip}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      {children}
    </div>,
    document.body,
  )
}
