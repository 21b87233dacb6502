import type { ReactNode } from "react"
import classes from "./plain-button.module.css"

/** A button of the pages before the sign-in and of those that stand in for a page: they do without Mantine. */
export function PlainButton(props: {
  /** `filled` is the one thing to do, `wide` the same as wide as its form; else a small quiet button. */
  look?: "quiet" | "filled" | "wide"
  type?: "submit" | "button"
  busy?: boolean
  disabled?: boolean
  onClick?: () => void
  children: ReactNode
}) {
  const { look = "quiet", type = "button", busy = false, disabled = false, onClick, children } = props
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- one of the two, by its type
      type={type}
      className={classes.button}
      data-look={look}
      disabled={disabled}
      aria-busy={busy}
      onClick={busy ? undefined : onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** A turning ring: something small is under way. Decoration beside words that say so. */
export function Spinner() {
  return (
    <svg width={14} height={14} viewBox="0 0 20 20" className="turning" {...stroke} aria-hidden>
      <circle cx="10" cy="10" r="8" strokeOpacity="0.35" />
      <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray="30 100" strokeLinecap="round" />
    </svg>
  )
}

const stroke = { fill: "none", stroke: "currentColor", strokeWidth: 3 }
