import { ActionIcon } from "@mantine/core"
import "@mantine/core/styles/ActionIcon.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import type { ComponentProps, ReactNode } from "react"
import { Tip } from "./tip.tsx"

/** Whatever else a button takes, so that a menu can say on it that it opens one. */
interface IconButtonProps extends Omit<
  ComponentProps<"button">,
  "aria-label" | "children" | "color" | "style"
> {
  /** What it does; read aloud, and shown as its tooltip. */
  label: string
  icon: ReactNode
  /** 24, 28, 32 or 40 px. */
  size?: "sm" | "md" | "lg" | "xl"
}

/** A button with an icon alone: always named, always with a tooltip. */
export function IconButton({ label, icon, size = "md", disabled = false, ...button }: IconButtonProps) {
  return (
    <Tip label={label}>
      <ActionIcon {...button} disabled={disabled} size={size} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tip>
  )
}
