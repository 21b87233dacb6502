import { Suspense, type ReactNode } from "react"
import { Drop } from "../ui/drop.tsx"
import { FilterChip } from "./filter-chip.tsx"

interface PanelFilterProps {
  label: string
  /** What it is set to; undefined while it is not in use. */
  value: ReactNode | undefined
  onRemove: () => void
  /** What it is set with. `close` closes it. */
  children: (close: () => void) => ReactNode
}

/** A filter that is set in a small panel under its button. */
export function PanelFilter({ label, value, onRemove, children }: PanelFilterProps) {
  return (
    <Drop
      label={label}
      renderButton={(props) => <FilterChip label={label} value={value} onRemove={onRemove} {...props} />}
    >
      {(close) => <Suspense>{children(close)}</Suspense>}
    </Drop>
  )
}
