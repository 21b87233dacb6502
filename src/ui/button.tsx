import {
  ActionIcon,
  type ActionIconProps,
  Button as MantineButton,
  type ButtonProps as MantineButtonProps,
} from "@mantine/core"
import { createLink } from "@tanstack/react-router"
import type { ComponentProps, MouseEvent, ReactNode } from "react"
import { Tooltip } from "./tooltip.tsx"

export interface ButtonProps
  extends MantineButtonProps, Omit<ComponentProps<"button">, keyof MantineButtonProps> {}

/** Mantine's button; while it loads it ignores clicks and keeps the focus, which a disabled one would lose. */
export function Button(props: ButtonProps) {
  return <MantineButton component={LoadingButton} {...props} />
}

/** The element of Mantine's buttons, which disable it while they load. */
function LoadingButton({
  disabled,
  type = "button",
  onClick,
  "data-loading": loading = false,
  ...props
}: ComponentProps<"button"> & { "data-loading"?: boolean }) {
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- one of them, by its type
      type={type}
      {...props}
      disabled={disabled === true && !loading}
      {...(loading && { "aria-busy": true, "aria-disabled": true, "data-loading": true })}
      onClick={loading ? ignore : onClick}
    />
  )
}

/** An external link that looks like a button. */
export function AnchorButton(
  props: MantineButtonProps & Omit<ComponentProps<"a">, keyof MantineButtonProps>,
) {
  return <MantineButton component="a" {...props} />
}

/** A router link that looks like a button. */
export const LinkButton = createLink(AnchorButton)

/** Icon props in a button. */
export const buttonIcon = { size: 16, stroke: 1.75, "aria-hidden": true } as const

function ignore(event: MouseEvent): void {
  event.preventDefault()
}

interface IconButtonProps
  extends
    Omit<ActionIconProps, "children">,
    Omit<ComponentProps<"button">, keyof ActionIconProps | "aria-label"> {
  label: string
  icon: ReactNode
}

/** An icon button; always has a label and a tooltip. */
export function IconButton({ label, icon, ...button }: IconButtonProps) {
  return (
    // What the button has opened would be covered.
    <Tooltip label={label} disabled={button["aria-expanded"] === true}>
      <ActionIcon component={LoadingButton} {...button} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
