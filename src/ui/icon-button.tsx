import { ActionIcon } from "@mantine/core"
import "@mantine/core/styles/ActionIcon.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import type { ReactNode, Ref } from "react"
import { Tip } from "./tip.tsx"

interface IconButtonProps {
  /** What it does; read aloud, and shown as its tooltip. */
  label: string
  icon: ReactNode
  onClick?: () => void
  disabled?: boolean
  /** 24, 28, 32 or 40 px. */
  size?: "sm" | "md" | "lg" | "xl"
  /** For a button that opens something. */
  expanded?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** A button with an icon alone: always named, always with a tooltip. */
export function IconButton({ label, icon, onClick, disabled, size = "md", expanded, ref }: IconButtonProps) {
  return (
    <Tip label={label}>
      <ActionIcon
        ref={ref}
        size={size}
        aria-label={label}
        aria-expanded={expanded}
        disabled={disabled ?? false}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tip>
  )
}
