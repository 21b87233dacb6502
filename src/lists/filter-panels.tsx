import { Box, Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { useEffect, useRef, useState } from "react"
import type { DayRange } from "../lib/days.ts"
import { type ColumnChoice, isShown, type ListColumn } from "./list-columns.ts"

/** Sets a filter whose values nobody can list: those seen so far, and free text. */
export function TextChoice(props: {
  label: string
  value: string
  seen: readonly { value: string; label: string }[]
  help: string
  maxLength: number
  onChoose: (value: string) => void
}) {
  const { label, value, seen, help, maxLength, onChoose } = props
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The panel takes the focus when it opens; somebody who opened it wants to type.
    const timer = setTimeout(() => field.current?.focus())
    return () => clearTimeout(timer)
  }, [])
  return (
    <Stack
      component="form"
      gap={12}
      w={288}
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(text.trim())
      }}
    >
      <Group align="end" gap="sm" wrap="nowrap">
        <TextInput
          ref={field}
          label={label}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className="grow"
        />
        <Button type="submit">Show</Button>
      </Group>
      {seen.length > 0 && (
        <Group component="ul" gap={6} mah={200} className="scroll">
          {seen.map((each) => (
            <li key={each.value}>
              <Button
                size="xs"
                variant={each.value === value ? "light" : "default"}
                aria-pressed={each.value === value}
                onClick={() => onChoose(each.value)}
              >
                {each.label}
              </Button>
            </li>
          ))}
        </Group>
      )}
      <p className="caption">{help}</p>
    </Stack>
  )
}

/** Sets a filter on days with the browser's own date fields. */
export function DaysChoice(props: { value: DayRange; help: string; onChoose: (value: DayRange) => void }) {
  const { value, help, onChoose } = props
  const [from, setFrom] = useState(value.from ?? "")
  const [to, setTo] = useState(value.to ?? "")
  const turned = from !== "" && to !== "" && from > to
  return (
    <Stack
      component="form"
      gap={12}
      w={312}
      onSubmit={(event) => {
        event.preventDefault()
        if (!turned) onChoose({ from: from || undefined, to: to || undefined })
      }}
    >
      <SimpleGrid cols={2} spacing={12}>
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
          error={turned && "Choose a day on or after the first one."}
        />
      </SimpleGrid>
      <p className="caption">{help}</p>
      <Button type="submit">Show these days</Button>
    </Stack>
  )
}

/** Which columns are shown; the last one stays. The choice is kept in this browser. */
export function ColumnsChooser(props: {
  columns: readonly ListColumn<never>[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}) {
  const { columns, choice, onChoose } = props
  const shown = columns.filter((column) => isShown(column, choice, "wide"))
  const toggle = (column: ListColumn<never>, show: boolean) => {
    const { [column.id]: _, ...rest } = choice
    const isDefault = show === (column.hidden !== true)
    onChoose(isDefault ? rest : { ...rest, [column.id]: show })
  }
  return (
    <Box w={216}>
      <Stack component="ul" gap={10} mah={320} className="scroll">
        {columns.map((column) => {
          const isOn = shown.includes(column)
          return (
            <li key={column.id}>
              <Checkbox
                label={column.label}
                checked={isOn}
                disabled={isOn && shown.length === 1}
                onChange={(event) => toggle(column, event.currentTarget.checked)}
              />
            </li>
          )
        })}
      </Stack>
      <Group justify="space-between" wrap="nowrap" mt={12} pt="sm" className="line-above">
        <span className="caption">Saved in this browser</span>
        <Button
          size="xs"
          variant="subtle"
          disabled={Object.keys(choice).length === 0}
          onClick={() => onChoose({})}
        >
          Reset
        </Button>
      </Group>
    </Box>
  )
}
