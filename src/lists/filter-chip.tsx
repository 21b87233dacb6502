import { IconPlus, IconX } from "@tabler/icons-react"
import type { ReactNode } from "react"
import type { DropButtonProps } from "../ui/drop.tsx"
import classes from "./filter-chip.module.css"

interface FilterChipProps extends DropButtonProps {
  /** Its name: "Status". */
  label: string
  /** What it is set to; undefined while it is not in use. */
  value: ReactNode | undefined
  onRemove: () => void
}

/**
 * A filter. Not in use: a plain "+ Status". In use: its name, its value and its own x. Its button is the same element in both states, so that the focus comes back to it.
 */
export function FilterChip({ label, value, onRemove, ...button }: FilterChipProps) {
  const used = value !== undefined
  return (
    <span className={classes.chip} data-used={used || undefined}>
      <button type="button" {...button} className={classes.open}>
        {!used && <IconPlus size={16} stroke={1.75} aria-hidden />}
        <span className={classes.name}>{label}</span>
        {used && <span className={classes.value}>{value}</span>}
      </button>
      {used && (
        <button
          type="button"
          className={classes.remove}
          aria-label={`Remove the filter ${label}`}
          onClick={onRemove}
        >
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      )}
    </span>
  )
}
