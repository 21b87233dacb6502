import { UnstyledButton } from "@mantine/core"
import type { ReactNode } from "react"
import { Ring } from "../../ui/ring.tsx"
import classes from "./plain-button.module.css"

interface PlainButtonProps {
  /** The one thing to do on the page; without it a small quiet button. */
  filled?: boolean
  type?: "submit" | "button"
  busy?: boolean
  disabled?: boolean
  onClick?: () => void
  children: ReactNode
}

/** A button of the pages before the desk, for the same reason as `PlainField`. */
export function PlainButton(props: PlainButtonProps) {
  const { filled = false, type = "button", busy = false, disabled = false, onClick, children } = props
  return (
    <UnstyledButton
      type={type}
      className={classes.button}
      data-filled={filled || undefined}
      disabled={disabled}
      aria-busy={busy}
      onClick={busy ? undefined : onClick}
    >
      {busy && <Ring />}
      {children}
    </UnstyledButton>
  )
}
