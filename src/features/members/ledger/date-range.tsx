import { Button, Popover, TextInput } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Input.layer.css"
import "@mantine/core/styles/Popover.layer.css"
import { IconCalendar } from "@tabler/icons-react"
import { useState } from "react"
import { FieldError } from "../../../form/field-error.tsx"
import classes from "./date-range.module.css"
import { isDay, type Day } from "./program-day.ts"
import { rangeWords } from "./range-words.ts"

interface Days {
  from?: Day | undefined
  to?: Day | undefined
}

interface DateRangeProps {
  days: Days
  /** Whose days these are. */
  timeZone: string
  onChange: (days: Days) => void
}

/** A range of whole days, both included; either end may be open. */
export function DateRange({ days, timeZone, onChange }: DateRangeProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          leftSection={<IconCalendar size={16} stroke={1.75} aria-hidden />}
          aria-label={`Date: ${rangeWords(days)}`}
          onClick={() => setOpen(!open)}
        >
          {rangeWords(days)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <RangeForm
          days={days}
          timeZone={timeZone}
          onApply={(chosen) => {
            onChange(chosen)
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface RangeFormProps {
  days: Days
  timeZone: string
  onApply: (days: Days) => void
}

function RangeForm({ days, timeZone, onApply }: RangeFormProps) {
  const [from, setFrom] = useState(days.from ?? "")
  const [to, setTo] = useState(days.to ?? "")
  const backwards = isDay(from) && isDay(to) && from > to
  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!backwards) onApply({ from: isDay(from) ? from : undefined, to: isDay(to) ? to : undefined })
      }}
    >
      <div className={classes.days}>
        <TextInput
          type="date"
          label="From"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="To"
          value={to}
          error={backwards ? <FieldError message="Not before the first day" /> : undefined}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </div>
      <p className={classes.help}>Both days are included. Days are those of {timeZone}.</p>
      <div className={classes.buttons}>
        <Button onClick={() => onApply({ from: undefined, to: undefined })}>Any date</Button>
        <Button type="submit" variant="filled" disabled={backwards}>
          Show these days
        </Button>
      </div>
    </form>
  )
}
