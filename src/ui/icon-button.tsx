import type { ReactNode } from "react"
import { Button, type ButtonProps } from "./button.tsx"
import { Tooltip } from "./tooltip.tsx"

interface IconButtonProps extends Omit<ButtonProps, "aria-label" | "children"> {
  label: string
  icon: ReactNode
}

/** An icon button; always has a label and a tooltip. */
export function IconButton({ label, icon, ...button }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <Button variant="subtle" size="xs" {...button} aria-label={label} data-icon>
        {icon}
      </Button>
    </Tooltip>
  )
}
