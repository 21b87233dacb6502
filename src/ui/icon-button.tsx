import { ActionIcon, type ActionIconProps, Tooltip } from "@mantine/core"
import type { ComponentProps, ReactNode } from "react"
import { LoadingButton } from "./button.tsx"

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
