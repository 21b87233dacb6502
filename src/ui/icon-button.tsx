import type { ComponentProps, ReactNode } from "react"
import { Button } from "./button.tsx"
import { Tooltip } from "./tooltip.tsx"

interface IconButtonProps extends Omit<
  ComponentProps<"button">,
  "aria-label" | "children" | "color" | "type"
> {
  label: string
  icon: ReactNode
  size?: "sm" | "md" | "lg" | "xl"
  outlined?: boolean
}

/** What the sizes of a button are called for icons, which have one more below. */
const sizes = { sm: "icon", md: "xs", lg: "sm", xl: "md" } as const

/** A button with an icon alone: always named, always with a tooltip. */
export function IconButton({ label, icon, size = "md", outlined = false, ...button }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <Button
        {...button}
        variant={outlined ? "default" : "subtle"}
        size={sizes[size]}
        aria-label={label}
        data-icon
      >
        {icon}
      </Button>
    </Tooltip>
  )
}
