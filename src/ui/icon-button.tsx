import { ActionIcon } from "@mantine/core"
import type { ComponentProps, ReactNode } from "react"
import { Tooltip } from "./tooltip.tsx"

interface IconButtonProps extends Omit<
  ComponentProps<"button">,
  "aria-label" | "children" | "color" | "style"
> {
  label: string
  icon: ReactNode
  size?: "sm" | "md" | "lg" | "xl"
  outlined?: boolean
}

/** A button with an icon alone: always named, always with a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { label, icon, size = "md", outlined = false, disabled = false, ...button } = props
  return (
    <Tooltip label={label}>
      <ActionIcon
        {...button}
        variant={outlined ? "default" : "subtle"}
        disabled={disabled}
        size={size}
        aria-label={label}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
