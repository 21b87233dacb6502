import { Button, TextInput } from "@mantine/core"
import { useState } from "react"
import type { DayRange } from "../lib/day-range.ts"
import classes from "./days-choice.module.css"

interface DaysChoiceProps {
  value: DayRange
  /** In which time zone the days are: "Days in Sydney time". */
  help: string
  onChoose: (value: DayRange) => void
}

/** Sets a filter on days with the browser's own date fields. */
export function DaysChoice({ value, help, onChoose }: DaysChoiceProps) {
  const [from, setFrom] = useState(value.from ?? "")
  const [to, setTo] = useState(value.to ?? "")
  const turned = from !== "" && to !== "" && from > to
  return (
    <form
      className={classes.panel}
      onSubmit={(event) => {
        event.preventDefault()
        if (!turned) onChoose({ from: from || undefined, to: to || undefined })
      }}
    >
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
        onChange={(event) => setTo(event.currentTarget.value)}
        error={turned ? "Choose a day on or after the first one." : undefined}
      />
      <p className={`l-meta l-3 ${classes.wide}`}>{help}</p>
      <Button type="submit" className={classes.wide}>
        Show these days
      </Button>
    </form>
  )
}
