import { Box, Checkbox, Group, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { IconArrowDown, IconArrowUp, IconMinus, IconPlus } from "@tabler/icons-react"
import { type ComponentProps, type SyntheticEvent, useState } from "react"
import { limits } from "../../contract/limits.ts"
import { type ColumnLayout, leastWidth, mostWidth } from "../../contract/views.ts"
import { dayAt } from "../../contract/zoned-days.ts"
import { useSession } from "../api/session.ts"
import { dayOf, type DayRange, isTurned, presetRanges, timeOf } from "../lib/time.ts"
import { formatPoints } from "../lib/format.ts"
import { initialFocus, useServerNow } from "../ui/hooks.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { type ColumnChange, type ColumnLook, isShown } from "./list-columns.ts"

/** A filter without fixed values: suggests known ones and accepts free text. */
export function TextChoice(props: {
  label: string
  value: string
  seen: readonly { value: string; label: string }[]
  help: string
  onChoose: (value: string) => void
}) {
  const { label, value, seen, help, onChoose } = props
  return (
    <Stack
      component="form"
      gap={12}
      w={288}
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(typedText(event.currentTarget, "text").trim())
      }}
    >
      <Group align="end" gap="sm" wrap="nowrap">
        <TextInput
          {...initialFocus}
          label={label}
          name="text"
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.shortText}
          defaultValue={value}
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

/** The text of a field of a form, by its name. */
function typedText(form: EventTarget, name: string): string {
  const text = form instanceof HTMLFormElement && new FormData(form).get(name)
  return typeof text === "string" ? text : ""
}

type Ends = Record<"from" | "to", string | number | undefined>

/** Input of each kind of range; `read` returns undefined for an open end and NaN for invalid input. */
const rangeFields = {
  days: {
    width: 312,
    field: { type: "date", max: "9999-12-31" },
    show: dayOf,
    read: (day: string, time: string) => {
      if (time === "") return day || undefined
      return day === "" ? Number.NaN : `${day}T${time}`
    },
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
  return `Choose a ${dayOf(from) === dayOf(to) ? "time" : "day"} on or after the first one.`
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
  const [problems, setProblems] = useState<{ from?: string | undefined; to?: string | undefined }>({})
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    const endOf = (end: string) => read(typedText(form, end), typedText(form, `${end}-time`))
    const ends = { from: endOf("from"), to: endOf("to") }
    const problemOf = (end: "from" | "to") => (Number.isNaN(ends[end]) ? wrong : undefined)
    const found = { from: problemOf("from"), to: problemOf("to") ?? crossedWords(ends) }
    setProblems(found)
    if (found.from === undefined && found.to === undefined) onChoose(ends)
  }
  const input = (end: "from" | "to", label: string) => (
    <>
      <TextInput
        {...field}
        label={label}
        name={end}
        defaultValue={show(value[end] ?? "")}
        error={problems[end]}
        onChange={() => setProblems({})}
      />
      {times && (
        <TextInput
          type="time"
          label={`${label} time (optional)`}
          name={`${end}-time`}
          defaultValue={timeOf(value[end] ?? "")}
          onChange={() => setProblems({})}
        />
      )}
    </>
  )
  return (
    <Stack component="form" gap={12} w={`min(${width}px, calc(100vw - 42px))`} onSubmit={submit}>
      {props.type === "days" && <UsualRanges value={value} onChoose={onChoose} />}
      <SimpleGrid cols={2} spacing={12}>
        {input("from", "From")}
        {input("to", "To")}
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

/** Which columns are shown (at least one), their order and width. */
export function ColumnsChooser(props: {
  columns: readonly { readonly id: string; readonly columnDef: ColumnLook & { readonly header?: unknown } }[]
  laidOut: ColumnLayout
  onArrange: (change: ColumnChange) => void
  onMove: (id: string, target: string) => void
}) {
  const { columns, laidOut, onArrange, onMove } = props
  const shown = columns.filter(({ columnDef }) => isShown(columnDef, laidOut, "wide"))
  return (
    <Box w={264}>
      <Stack component="ul" gap={10} mah={320} className="scroll">
        {columns.map((column, at) => {
          const { id, columnDef } = column
          const isOn = shown.includes(column)
          const toggle = (show: boolean) => {
            const { [id]: _, ...rest } = laidOut.shown
            const isDefault = show === (columnDef.meta?.hidden !== true)
            onArrange({ shown: isDefault ? rest : { ...rest, [id]: show } })
          }
          const widen = (by: number) => {
            const width = Math.min(
              mostWidth,
              Math.max(leastWidth, (laidOut.widths[id] ?? (columnDef.size || usualWidth)) + by),
            )
            onArrange({ widths: { [id]: width } })
          }
          const place = (target: number) => ({
            disabled: columns[target] === undefined,
            onClick: () => columns[target] && onMove(id, columns[target].id),
          })
          const buttons = [
            ...(isOn
              ? [
                  { label: "Narrower", Icon: IconMinus, onClick: () => widen(-widthStep) },
                  { label: "Wider", Icon: IconPlus, onClick: () => widen(widthStep) },
                ]
              : []),
            { label: "Move up", Icon: IconArrowUp, ...place(at - 1) },
            { label: "Move down", Icon: IconArrowDown, ...place(at + 1) },
          ]
          const name = String(columnDef.header)
          return (
            <Group component="li" key={id} justify="space-between" gap={2} wrap="nowrap">
              <Checkbox
                label={name}
                checked={isOn}
                disabled={isOn && shown.length === 1}
                onChange={(event) => toggle(event.currentTarget.checked)}
                me="auto"
              />
              {buttons.map(({ label, Icon, ...button }) => (
                <IconButton
                  {...button}
                  key={label}
                  label={`${label}: ${name}`}
                  icon={<Icon size={14} stroke={1.75} />}
                  size="sm"
                />
              ))}
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

/** In px: of a column that shares the remaining width, and of one press. */
const [usualWidth, widthStep] = [160, 24]
