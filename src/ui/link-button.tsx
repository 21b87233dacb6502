import { Button, type ButtonProps } from "@mantine/core"
import { createLink } from "@tanstack/react-router"
import type { ComponentProps } from "react"

function AnchorButton(props: ButtonProps & Omit<ComponentProps<"a">, keyof ButtonProps>) {
  return <Button component="a" {...props} />
}

/** A link of the router that looks like a button. */
export const LinkButton = createLink(AnchorButton)

/** How an icon stands in a button. */
export const buttonIcon = { size: 16, stroke: 1.75, "aria-hidden": true } as const
