import { Group } from "@mantine/core"
import type { ComponentProps } from "react"
import { formatCount } from "../lib/format.ts"
import { Button } from "./button.tsx"

/** A progress bar as wide as its container. */
export function ProgressLine(props: Omit<ComponentProps<"progress">, "className">) {
  return (
    <progress
      {...props}
      style={{ width: "100%", height: 8, accentColor: "var(--l-accent-mark)", ...props.style }}
    />
  )
}

/** Progress of reading a list, in requests, and a cancel button. */
export function Meter(props: {
  label: string
  /** Requests done, of how many (null: unknown), and the number of restarts. */
  progress: { readonly done: number; readonly of: number | null; readonly restarts: number }
  onCancel?: () => void
}) {
  const { label, onCancel } = props
  const { done, of, restarts } = props.progress
  return (
    <Group gap="8px 12px">
      <ProgressLine
        aria-label={label}
        style={{ flex: "1 1 120px" }}
        {...(of === null ? {} : { value: Math.min(done, of), max: of })}
      />
      <output className="l-num text-secondary l-meta">
        {of === null
          ? "Loading…"
          : `${formatCount(Math.round((100 * Math.min(done, of)) / Math.max(1, of)))}%`}
        {restarts > 0 && ", restarted because the list changed"}
      </output>
      {onCancel !== undefined && (
        <Button size="xs" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </Group>
  )
}
