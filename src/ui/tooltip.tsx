import { useTimeout } from "@mantine/hooks"
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  Suspense,
  useState,
} from "react"
import { fetchedPart } from "./fetched-part.tsx"

const TooltipBubble = fetchedPart(async () => (await import("./tooltip-bubble.tsx")).TooltipBubble)

interface TooltipProps {
  label: string
  position?: "right"
  disabled?: boolean
  children: ReactElement<{
    onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined
    onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined
    onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined
    onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined
  }>
}

/** As in the theme, in ms. */
const openDelay = 300

/**
 * Mantine's tooltip, rendered when it is first to be shown, by pointer or by key: a page has many, and few are ever
 * seen. From then on it opens and closes on its own.
 */
export function Tooltip({ children, ...look }: TooltipProps) {
  const { onPointerEnter, onPointerLeave, onFocus, onBlur } = children.props
  const [shown, setShown] = useState<{ readonly target: HTMLElement; readonly turn: number }>()
  const show = (target: HTMLElement) => setShown((now) => ({ target, turn: (now?.turn ?? 0) + 1 }))
  const later = useTimeout(show, openDelay)
  const handlers = {
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      onPointerEnter?.(event)
      if (shown === undefined && event.pointerType !== "touch") later.start(event.currentTarget)
    },
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      onPointerLeave?.(event)
      later.clear()
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      onFocus?.(event)
      if (event.currentTarget.matches(":focus-visible")) show(event.currentTarget)
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      onBlur?.(event)
      later.clear()
      setShown(undefined)
    },
  }
  return (
    <>
      {cloneElement(children, handlers)}
      {shown && (
        <Suspense>
          <TooltipBubble key={shown.turn} target={shown.target} {...look} />
        </Suspense>
      )}
    </>
  )
}
