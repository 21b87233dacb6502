import { createLink } from "@tanstack/react-router"
import type { ComponentProps, MouseEvent, ReactNode } from "react"
import classes from "./button.module.css"

interface ButtonLook {
  /** `filled` is the primary action; `light` is selected; `choice` is a full-width menu item. */
  variant?: "default" | "filled" | "light" | "subtle" | "choice" | undefined
  /** `filled` in red, for irreversible actions. */
  tone?: "danger" | undefined
  /**
   * 28, 32 (default) or 40 px high, more on touch; `compact` fits in a line of text, `icon` is 24 px for an icon alone.
   */
  size?: "compact" | "icon" | "xs" | "sm" | "md" | undefined
  fullWidth?: boolean | undefined
  leftSection?: ReactNode
  rightSection?: ReactNode
}

export interface ButtonProps extends ButtonLook, ComponentProps<"button"> {
  /** Shows a spinner and ignores clicks; keeps its width, label and focus. */
  loading?: boolean | undefined
}

/** A button of a single element: a page has a dozen, and Mantine's button has four elements and forty variables. */
export function Button({ loading = false, onClick, type = "button", ...props }: ButtonProps) {
  const { children, leftSection, rightSection, ...own } = buttonLook(props)
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- one of them, by its type
      type={type}
      {...own}
      {...(loading && {
        "aria-busy": true,
        "aria-disabled": true,
        "data-loading": leftSection ? "icon" : "words",
      })}
      onClick={loading ? ignore : onClick}
    >
      {loading ? <Spinner /> : leftSection}
      {children}
      {rightSection}
    </button>
  )
}

/** A button of 28 px, for a notice, a row or a panel. */
export function SmallButton(props: Omit<ButtonProps, "size">) {
  return <Button {...props} size="xs" />
}

/** An external link that looks like a button. */
export function AnchorButton(props: ButtonLook & ComponentProps<"a">) {
  const { children, leftSection, rightSection, ...own } = buttonLook(props)
  return (
    <a {...own}>
      {leftSection}
      {children}
      {rightSection}
    </a>
  )
}

/** A router link that looks like a button. */
export const LinkButton = createLink(AnchorButton)

/** Icon props in a button. */
export const buttonIcon = { size: 16, stroke: 1.75, "aria-hidden": true } as const

/** A spinner. Decorative, next to a text. */
export function Spinner() {
  return (
    <svg width={12} height={12} viewBox="0 0 20 20" className="turning" {...ring} aria-hidden>
      <circle cx="10" cy="10" r="8" strokeOpacity="0.35" />
      <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray="30 100" strokeLinecap="round" />
    </svg>
  )
}

const ring = { fill: "none", stroke: "currentColor", strokeWidth: 3 }

/** The attributes of an element that looks like a button: a button, a link, or text within a link. */
export function buttonLook<P extends ButtonLook & { className?: string | undefined }>(props: P) {
  const { variant = "default", tone, size = "sm", fullWidth = false, className = "", ...rest } = props
  return {
    ...rest,
    "data-left": Boolean(props.leftSection) || undefined,
    "data-right": Boolean(props.rightSection) || undefined,
    className: `${classes.button} ${className}`,
    "data-variant": variant,
    "data-size": size === "sm" ? undefined : size,
    "data-tone": tone,
    "data-wide": fullWidth || undefined,
  }
}

function ignore(event: MouseEvent): void {
  event.preventDefault()
}
