import { Button, Popover } from "@mantine/core"
import { IconCalendar } from "@tabler/icons-react"
import { useState } from "react"
import { type DayRange, rangeWords } from "../../../lib/days.ts"
import { DaysChoice } from "../../../lists/filter-panels.tsx"

interface DateRangeProps {
  days: DayRange
  /** Whose days these are. */
  timeZone: string
  onChange: (days: { from: string | undefined; to: string | undefined }) => void
}

/** A range of whole days, both included; either end may be open. */
export function DateRange({ days, timeZone, onChange }: DateRangeProps) {
  const [open, setOpen] = useState(false)
  const words = rangeWords(days) ?? "Any date"
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
        <Button
          leftSection={<IconCalendar size={16} stroke={1.75} aria-hidden />}
          aria-label={`Date: ${words}`}
          onClick={() => setOpen(!open)}
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <DaysChoice
          value={days}
          help={`Both days are included, in ${timeZone} time.`}
          onChoose={({ from, to }) => {
            onChange({ from, to })
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
