import { Box, Checkbox, Group, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { IconArrowDown, IconArrowUp, IconMinus, IconPlus } from "@tabler/icons-react"
import { type ComponentProps, useEffect, useRef, useState } from "react"
import { limits } from "../../contract/limits.ts"
import { type ColumnLayout, leastWidth, mostWidth } from "../../contract/views.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import { useSession } from "../api/session.ts"
import { type DayRange, presetRanges } from "../lib/days.ts"
import { formatPoints } from "../lib/format.ts"
import { useServerNow } from "../ui/hooks.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { type ColumnChange, inOrder, isShown, type ListColumn, movedColumn } from "./list-columns.ts"
import { Button, SmallButton } from "../ui/button.tsx"

/** Sets a filter whose values nobody can list: those seen so far, and free text. */
export function TextChoice(props: {
  label: string
  value: string
  seen: readonly { value: string; label: string }[]
  help: string
  onChoose: (value: string) => void
}) {
  const { label, value, seen, help, onChoose } = props
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
          maxLength={limits.shortText}
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
              <SmallButton
                variant={each.value === value ? "light" : "default"}
                aria-pressed={each.value === value}
                onClick={() => onChoose(each.value)}
              >
                {each.label}
              </SmallButton>
            </li>
          ))}
        </Group>
      )}
      <p className="caption">{help}</p>
    </Stack>
  )
}

/** How each kind of range is typed; `read` gives undefined for an end that is left open and NaN for what is none. */
const rangeFields = {
  days: {
    width: 312,
    field: { type: "date", max: "9999-12-31" },
    show: (day: string) => day,
    read: (text: string) => text || undefined,
    crossed: "Choose a day on or after the first one.",
    action: "Show these days",
  },
  points: {
    width: 272,
    field: { inputMode: "numeric", autoComplete: "off" },
    show: (points: string) => points && formatPoints(Number(points)),
    read: (text: string) => {
      const digits = text.replaceAll(/[\s,\u00A0\u202F]/g, "")
      if (digits === "") return undefined
      return /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN
    },
    crossed: "Less than “From”",
    action: "Show",
  },
} as const

/** Sets a filter on a range, both ends included and either left open: days with the browser's own date fields. */
export function RangeChoice(props: {
  type: keyof typeof rangeFields
  value: DayRange
  help: string | undefined
  onChoose: (range: Record<"from" | "to", string | number | undefined>) => void
}) {
  const { value, help, onChoose } = props
  const { width, field, show, read, crossed, action } = rangeFields[props.type]
  const [typed, setTyped] = useState({ from: show(value.from ?? ""), to: show(value.to ?? "") })
  const from = read(typed.from)
  const to = read(typed.to)
  const turned = from !== undefined && to !== undefined && from > to
  const input = (end: "from" | "to", label: string, wrong: boolean, problem?: string | false) => (
    <TextInput
      {...field}
      label={label}
      value={typed[end]}
      error={wrong ? "Whole points" : problem}
      onChange={({ currentTarget }) => setTyped((now) => ({ ...now, [end]: currentTarget.value }))}
    />
  )
  return (
    <Stack
      component="form"
      gap={12}
      w={`min(${width}px, calc(100vw - 42px))`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!turned && !Number.isNaN(from) && !Number.isNaN(to)) onChoose({ from, to })
      }}
    >
      {props.type === "days" && <UsualRanges value={value} onChoose={onChoose} />}
      <SimpleGrid cols={2} spacing={12}>
        {input("from", "From", Number.isNaN(from))}
        {input("to", "To", Number.isNaN(to), turned && crossed)}
      </SimpleGrid>
      {help !== undefined && <p className="caption">{help}</p>}
      <Button type="submit">{action}</Button>
    </Stack>
  )
}

/** The ranges of days that people ask for most, each one press. */
function UsualRanges(props: Pick<ComponentProps<typeof RangeChoice>, "value" | "onChoose">) {
  const { from, to } = props.value
  const { time_zone: timeZone } = useSession().program
  const today = dayAt(useServerNow("half-minute"), timeZone)
  return (
    <SimpleGrid component="ul" cols={3} spacing={6} verticalSpacing={6}>
      {presetRanges(today).map(({ label, range }) => (
        <li key={label}>
          <SmallButton
            fullWidth
            variant={range.from === from && range.to === to ? "light" : "default"}
            aria-pressed={range.from === from && range.to === to}
            onClick={() => props.onChoose({ from: range.from, to: range.to })}
          >
            {label}
          </SmallButton>
        </li>
      ))}
    </SimpleGrid>
  )
}

/** Which columns are shown (the last one stays), in which order and how wide. */
export function ColumnsChooser(props: {
  columns: readonly ListColumn<never>[]
  laidOut: ColumnLayout
  onArrange: (change: ColumnChange) => void
}) {
  const { laidOut, onArrange } = props
  const columns = inOrder(props.columns, laidOut.order)
  const order = columns.map(({ id }) => id)
  const shown = columns.filter((column) => isShown(column, laidOut, "wide"))
  const toggle = (column: ListColumn<never>, show: boolean) => {
    const { [column.id]: _, ...rest } = laidOut.shown
    const isDefault = show === (column.hidden !== true)
    onArrange({ shown: isDefault ? rest : { ...rest, [column.id]: show } })
  }
  return (
    <Box w={264}>
      <Stack component="ul" gap={10} mah={320} className="scroll">
        {columns.map((column) => {
          const isOn = shown.includes(column)
          return (
            <Group component="li" key={column.id} justify="space-between" gap={2} wrap="nowrap">
              <Checkbox
                label={column.label}
                checked={isOn}
                disabled={isOn && shown.length === 1}
                onChange={(event) => toggle(column, event.currentTarget.checked)}
                me="auto"
              />
              <ArrangeButtons
                column={column}
                at={order.indexOf(column.id)}
                last={order.length - 1}
                onMove={(to) => onArrange({ order: movedColumn(order, column.id, to) })}
                {...(isOn && {
                  onWiden: (by: number) => {
                    const wide = laidOut.widths[column.id] ?? column.width ?? usualWidth
                    const width = Math.min(mostWidth, Math.max(leastWidth, wide + by))
                    onArrange({ widths: { [column.id]: width } })
                  },
                })}
              />
            </Group>
          )
        })}
      </Stack>
      <Group justify="space-between" wrap="nowrap" mt={12} pt="sm" className="line-above">
        <span className="caption">Drag the headings, too</span>
        <SmallButton
          variant="subtle"
          disabled={Object.values(laidOut).every((part) => Object.keys(part).length === 0)}
          onClick={() => onArrange(undefined)}
        >
          Reset
        </SmallButton>
      </Group>
    </Box>
  )
}

const usualWidth = 160
const widthStep = 24

/** What dragging a head does, for the keyboard. */
function ArrangeButtons(props: {
  column: ListColumn<never>
  at: number
  last: number
  onMove: (to: number) => void
  onWiden?: (by: number) => void
}) {
  const { column, at, last, onMove, onWiden } = props
  const button = (label: string, Icon: typeof IconArrowUp, disabled: boolean, onClick: () => void) => (
    <IconButton
      label={`${label}: ${column.label}`}
      icon={<Icon size={14} stroke={1.75} />}
      size="icon"
      disabled={disabled}
      onClick={onClick}
    />
  )
  return (
    <>
      {onWiden !== undefined && (
        <>
          {button("Narrower", IconMinus, false, () => onWiden(-widthStep))}
          {button("Wider", IconPlus, false, () => onWiden(widthStep))}
        </>
      )}
      {button("Move up", IconArrowUp, at === 0, () => onMove(at - 1))}
      {button("Move down", IconArrowDown, at === last, () => onMove(at + 1))}
    </>
  )
}
