import { Box, Checkbox, Group, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { IconArrowDown, IconArrowUp, IconMinus, IconPlus } from "@tabler/icons-react"
import { type ChangeEvent, type ComponentProps, useEffect, useRef, useState } from "react"
import { limits } from "../../contract/limits.ts"
import { type ColumnLayout, leastWidth, mostWidth } from "../../contract/views.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import { useSession } from "../api/session.ts"
import { dayOf, type DayRange, isTurned, presetRanges, timeOf } from "../lib/days.ts"
import { formatPoints } from "../lib/format.ts"
import { useServerNow } from "../ui/hooks.ts"
import { IconButton } from "../ui/icon-button.tsx"
import { type ColumnChange, type ColumnLook, inOrder, isShown, movedColumn } from "./list-columns.ts"
import { Button } from "../ui/button.tsx"

/** A filter without fixed values: suggests known ones and accepts free text. */
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
    // The panel takes the focus when it opens; move it to the field.
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

type Ends = Record<"from" | "to", string | number | undefined>

/** Input of each kind of range; `read` returns undefined for an open end and NaN for invalid input. */
const rangeFields = {
  days: {
    width: 312,
    field: { type: "date", max: "9999-12-31" },
    show: dayOf,
    read: (text: string) => text || undefined,
    wrong: "Choose a day, too",
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
    wrong: "Whole points",
    action: "Show",
  },
} as const

/** Error text if a range ends before it starts; undefined otherwise. */
function crossedWords({ from, to }: Ends): string | undefined {
  if (typeof from === "number" && typeof to === "number") return from > to ? "Less than “From”" : undefined
  if (typeof from !== "string" || typeof to !== "string" || !isTurned({ from, to })) return undefined
  return dayOf(from) === dayOf(to)
    ? "Choose a time on or after the first one."
    : "Choose a day on or after the first one."
}

/**
 * A filter for an inclusive range, either end open; days use the browser's date inputs, with `times` also a time input
 * for each.
 */
export function RangeChoice(props: {
  type: keyof typeof rangeFields
  times: boolean
  value: DayRange
  help: string | undefined
  onChoose: (range: Ends) => void
}) {
  const { times, value, help, onChoose } = props
  const { width, field, show, read, wrong, action } = rangeFields[props.type]
  const [typed, setTyped] = useState({
    from: show(value.from ?? ""),
    to: show(value.to ?? ""),
    fromTime: timeOf(value.from ?? ""),
    toTime: timeOf(value.to ?? ""),
  })
  const endOf = (text: string, time: string) => {
    const end = read(text)
    if (!times || time === "") return end
    // A time without a day is invalid.
    return end === undefined ? Number.NaN : `${end}T${time}`
  }
  const ends = { from: endOf(typed.from, typed.fromTime), to: endOf(typed.to, typed.toTime) }
  const crossed = crossedWords(ends)
  const [submitted, setSubmitted] = useState(false)
  const isWrong = (end: "from" | "to") => Number.isNaN(ends[end])
  const type = (key: keyof typeof typed) => (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value
    setTyped((now) => ({ ...now, [key]: text }))
  }
  const input = (end: "from" | "to", label: string, problem?: string) => (
    <TextInput
      {...field}
      label={label}
      value={typed[end]}
      // No error yet while only the time is entered.
      error={isWrong(end) && (submitted || !times) ? wrong : problem}
      onChange={type(end)}
    />
  )
  const timeInput = (key: "fromTime" | "toTime", label: string) => (
    <TextInput type="time" label={label} value={typed[key]} onChange={type(key)} />
  )
  return (
    <Stack
      component="form"
      gap={12}
      w={`min(${width}px, calc(100vw - 42px))`}
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (crossed === undefined && !isWrong("from") && !isWrong("to")) onChoose(ends)
      }}
    >
      {props.type === "days" && <UsualRanges value={value} onChoose={onChoose} />}
      <SimpleGrid cols={2} spacing={12}>
        {input("from", "From")}
        {times ? timeInput("fromTime", "From time (optional)") : input("to", "To", crossed)}
        {times && input("to", "To", crossed)}
        {times && timeInput("toTime", "To time (optional)")}
      </SimpleGrid>
      {help !== undefined && <p className="caption">{help}</p>}
      <Button type="submit">{action}</Button>
    </Stack>
  )
}

/** Common ranges of days as buttons. */
function UsualRanges(props: Pick<ComponentProps<typeof RangeChoice>, "value" | "onChoose">) {
  const { from, to } = props.value
  const { time_zone: timeZone } = useSession().program
  const today = dayAt(useServerNow("half-minute"), timeZone)
  return (
    <SimpleGrid component="ul" cols={3} spacing={6} verticalSpacing={6}>
      {presetRanges(today).map(({ label, range }) => (
        <li key={label}>
          <Button
            size="xs"
            fullWidth
            variant={range.from === from && range.to === to ? "light" : "default"}
            aria-pressed={range.from === from && range.to === to}
            onClick={() => props.onChoose({ from: range.from, to: range.to })}
          >
            {label}
          </Button>
        </li>
      ))}
    </SimpleGrid>
  )
}

type ListedColumn = ColumnLook & { readonly header?: unknown }

/** Which columns are shown (at least one), their order and width. */
export function ColumnsChooser(props: {
  columns: readonly ListedColumn[]
  laidOut: ColumnLayout
  onArrange: (change: ColumnChange) => void
}) {
  const { laidOut, onArrange } = props
  const columns = inOrder(props.columns, laidOut.order)
  const order = columns.map(({ id = "" }) => id)
  const shown = columns.filter((column) => isShown(column, laidOut, "wide"))
  const toggle = ({ id = "", meta }: ListedColumn, show: boolean) => {
    const { [id]: _, ...rest } = laidOut.shown
    const isDefault = show === (meta?.hidden !== true)
    onArrange({ shown: isDefault ? rest : { ...rest, [id]: show } })
  }
  return (
    <Box w={264}>
      <Stack component="ul" gap={10} mah={320} className="scroll">
        {columns.map((column, at) => {
          const { id = "", size = usualWidth } = column
          const label = String(column.header)
          const isOn = shown.includes(column)
          const widen = (by: number) => {
            const width = Math.min(mostWidth, Math.max(leastWidth, (laidOut.widths[id] ?? size) + by))
            onArrange({ widths: { [id]: width } })
          }
          const move = (to: number) => onArrange({ order: movedColumn(order, id, to) })
          return (
            <Group component="li" key={id} justify="space-between" gap={2} wrap="nowrap">
              <Checkbox
                label={label}
                checked={isOn}
                disabled={isOn && shown.length === 1}
                onChange={(event) => toggle(column, event.currentTarget.checked)}
                me="auto"
              />
              {isOn && (
                <>
                  <ArrangeButton
                    label={`Narrower: ${label}`}
                    Icon={IconMinus}
                    onClick={() => widen(-widthStep)}
                  />
                  <ArrangeButton label={`Wider: ${label}`} Icon={IconPlus} onClick={() => widen(widthStep)} />
                </>
              )}
              <ArrangeButton
                label={`Move up: ${label}`}
                Icon={IconArrowUp}
                disabled={at === 0}
                onClick={() => move(at - 1)}
              />
              <ArrangeButton
                label={`Move down: ${label}`}
                Icon={IconArrowDown}
                disabled={at === columns.length - 1}
                onClick={() => move(at + 1)}
              />
            </Group>
          )
        })}
      </Stack>
      <Group justify="space-between" wrap="nowrap" mt={12} pt="sm" className="line-above">
        <span className="caption">Drag the headings, too</span>
        <Button
          size="xs"
          variant="subtle"
          disabled={Object.values(laidOut).every((part) => Object.keys(part).length === 0)}
          onClick={() => onArrange(undefined)}
        >
          Reset
        </Button>
      </Group>
    </Box>
  )
}

const usualWidth = 160
const widthStep = 24

/** Moves or resizes a column by keyboard. */
function ArrangeButton(props: {
  label: string
  Icon: typeof IconArrowUp
  disabled?: boolean
  onClick: () => void
}) {
  const { Icon, ...button } = props
  return <IconButton {...button} icon={<Icon size={14} stroke={1.75} />} size="sm" />
}
