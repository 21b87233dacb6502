import { Button, Checkbox, TextInput } from "@mantine/core"
import { useEffect, useRef, useState } from "react"
import type { DayRange } from "../lib/days.ts"
import { type ColumnChoice, isShown, type ListColumn } from "./list-columns.ts"
import classes from "./filter-panels.module.css"

interface TextChoiceProps {
  label: string
  value: string
  seen: readonly { value: string; label: string }[]
  help: string
  maxLength: number
  onChoose: (value: string) => void
}

/** Sets a filter whose values nobody can list: those seen so far, and free text. */
export function TextChoice({ label, value, seen, help, maxLength, onChoose }: TextChoiceProps) {
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The panel takes the focus when it opens; somebody who opened it wants to type.
    const timer = setTimeout(() => field.current?.focus())
    return () => clearTimeout(timer)
  }, [])
  return (
    <form
      className={classes.panel}
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(text.trim())
      }}
    >
      <div className={classes.line}>
        <TextInput
          ref={field}
          label={label}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className={classes.text}
        />
        <Button type="submit">Show</Button>
      </div>
      {seen.length > 0 && (
        <ul className={classes.seen}>
          {seen.map((each) => (
            <li key={each.value}>
              <Button size="xs" onClick={() => onChoose(each.value)} aria-pressed={each.value === value}>
                {each.label}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className="l-meta text-muted">{help}</p>
    </form>
  )
}

interface DaysChoiceProps {
  value: DayRange
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
      className={classes.daysChoicePanel}
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
      <p className={`l-meta text-muted ${classes.wide}`}>{help}</p>
      <Button type="submit" className={classes.wide}>
        Show these days
      </Button>
    </form>
  )
}

interface ColumnsChooserProps {
  columns: readonly ListColumn<never>[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

/** Which columns are shown; the last one stays. The choice is kept in this browser. */
export function ColumnsChooser({ columns, choice, onChoose }: ColumnsChooserProps) {
  const shown = columns.filter((column) => isShown(column, choice, "wide"))
  const toggle = (column: ListColumn<never>, show: boolean) => {
    const { [column.id]: _, ...rest } = choice
    const isDefault = show === (column.hidden !== true)
    onChoose(isDefault ? rest : { ...rest, [column.id]: show })
  }
  return (
    <div className={classes.columnsChooserPanel}>
      <ul className={classes.columns}>
        {columns.map((column) => {
          const isOn = shown.includes(column)
          return (
            <li key={column.id}>
              <Checkbox
                label={column.label}
                classNames={{ label: classes.label }}
                checked={isOn}
                disabled={isOn && shown.length === 1}
                onChange={(event) => toggle(column, event.currentTarget.checked)}
              />
            </li>
          )
        })}
      </ul>
      <div className={classes.foot}>
        <span className="l-meta text-muted">Saved in this browser</span>
        <Button
          size="xs"
          variant="subtle"
          disabled={Object.keys(choice).length === 0}
          onClick={() => onChoose({})}
        >
          Reset
        </Button>
      </div>
    </div>
  )
}
