import { Popover } from "@mantine/core"
import "@mantine/core/styles/Popover.layer.css"
import { Suspense, useState, type ReactNode } from "react"
import { FilterChip } from "./filter-chip.tsx"

interface PanelFilterProps {
  label: string
  /** What it is set to; undefined while it is not in use. */
  value: ReactNode | undefined
  onRemove: () => void
  /** What it is set with. `close` closes it. */
  children: (close: () => void) => ReactNode
}

/** A filter that is set in a small panel: a text, a range of days. */
export function PanelFilter({ label, value, onRemove, children }: PanelFilterProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-start"
      trapFocus
      returnFocus
      keepMounted={false}
    >
      <Popover.Target>
        <FilterChip label={label} value={value} onRemove={onRemove} onClick={() => setOpen(!open)} />
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense>{children(() => setOpen(false))}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
