import { Menu } from "@mantine/core"
import "@mantine/core/styles/Popover.layer.css"
import "@mantine/core/styles/Menu.layer.css"
import { IconCheck } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { FilterChip } from "./filter-chip.tsx"

/** One value a filter can take. */
export interface Choice<T extends string> {
  readonly value: T
  /** As it stands in the menu and on the chip. */
  readonly label: ReactNode
}

interface ChoiceFilterProps<T extends string> {
  label: string
  value: T | undefined
  choices: readonly Choice<T>[]
  onChange: (value: T | undefined) => void
}

/** A filter with a fixed set of values, chosen from a menu. */
export function ChoiceFilter<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <Menu position="bottom-start" width={208} keepMounted={false}>
      <Menu.Target>
        <FilterChip label={label} value={chosen?.label} onRemove={() => onChange(undefined)} />
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.value}
            role="menuitemradio"
            aria-checked={choice.value === value}
            rightSection={
              choice.value === value ? <IconCheck size={16} stroke={1.75} aria-hidden /> : undefined
            }
            onClick={() => onChange(choice.value)}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
