import { createLink } from "@tanstack/react-router"
import type { ComponentProps, MouseEvent, ReactNode } from "react"
import classes from "./button.module.css"

interface ButtonLook {
  /** `filled` is the one thing to do; `light` is what is chosen; `choice` is a line of a menu, as wide as that. */
  variant?: "default" | "filled" | "light" | "subtle" | "choice" | undefined
  /** `filled` in red: it cannot be undone. */
  tone?: "danger" | undefined
  /** 28, 32 (if none is given) or 40 px high, more on touch; `compact` is within a line of text, `icon` 24 px for one alone. */
  size?: "compact" | "icon" | "xs" | "sm" | "md" | undefined
  fullWidth?: boolean | undefined
  leftSection?: ReactNode
  rightSection?: ReactNode
}

export interface ButtonProps extends ButtonLook, ComponentProps<"button"> {
  /** Shows a ring and takes no click; it keeps its width, its words and the focus. */
  loading?: boolean | undefined
}

/** A button. One element and its words: a page has a dozen, and Mantine's has four with forty variables of their own. */
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

/** A button of 28 px: a step in a notice, a row or a panel. */
export function SmallButton(props: Omit<ButtonProps, "size">) {
  return <Button {...props} size="xs" />
}

/** A link to another site that looks like a button. */
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

/** A link of the router that looks like a button. */
export const LinkButton = createLink(AnchorButton)

/** How an icon stands in a button. */
export const buttonIcon = { size: 16, stroke: 1.75, "aria-hidden": true } as const

/** A turning ring: something small is under way. Decoration beside words that say so. */
export function Spinner() {
  return (
    <svg width={12} height={12} viewBox="0 0 20 20" className="turning" {...ring} aria-hidden>
      <circle cx="10" cy="10" r="8" strokeOpacity="0.35" />
      <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray="30 100" strokeLinecap="round" />
    </svg>
  )
}

const ring = { fill: "none", stroke: "currentColor", strokeWidth: 3 }

/** The attributes of an element that looks like a button: of one, of a link, and of words in a link around them. */
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
