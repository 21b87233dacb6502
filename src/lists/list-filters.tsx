import { Box, CloseButton, Group } from "@mantine/core"
import { useDebouncedCallback } from "@mantine/hooks"
import { IconCheck, IconPlus, IconSearch, IconX } from "@tabler/icons-react"
import { lazy, type ReactNode, useState } from "react"
import { limits } from "../../contract/limits.ts"
import { searchedText } from "../../contract/typed-text.ts"
import { type DayRange, rangeLabel } from "../lib/time.ts"
import { formatPoints } from "../lib/format.ts"
import { useComposedText } from "../ui/hooks.ts"
import { Popover } from "../ui/popover.tsx"
import classes from "./list-page.module.css"
import type { ListChange, ListState } from "./list-state.ts"
import { Button } from "../ui/button.tsx"

const panels = () => import("./filter-panels.tsx")
const RangeChoice = lazy(async () => ({ default: (await panels()).RangeChoice }))
/** Suggests known values and accepts any other. */
export const TextChoice = lazy(async () => ({ default: (await panels()).TextChoice }))

interface Keyed<Type extends string> {
  readonly type: Type
  readonly key: string
  readonly label: string
}

/** A filter of a list; `key` is its search parameter. */
export type ListFilter =
  | Keyed<"search">
  | (Keyed<"choice"> & { readonly choices: readonly { readonly value: string; readonly label: ReactNode }[] })
  /** No fixed values: known ones as suggestions, and free text. */
  | (Keyed<"text"> & { readonly seen: readonly { value: string; label: string }[]; readonly help: string })
  /** Days, inclusive, in the parameters `from` and `to`; with `times`, each can have a time. */
  | { readonly type: "days"; readonly label: string; readonly help: string; readonly times?: true }
  /** Points, inclusive, in the parameters `min_points` and `max_points`. */
  | { readonly type: "points"; readonly label: string; readonly help?: undefined }
  | {
      readonly type: "custom"
      readonly keys: readonly string[]
      readonly render: (set: (change: ListChange) => void, values: ListState["values"]) => ReactNode
    }

const rangeKeys = { days: ["from", "to"], points: ["min_points", "max_points"] } as const

function keysOf(filter: ListFilter): readonly string[] {
  if (filter.type === "days" || filter.type === "points") return rangeKeys[filter.type]
  return filter.type === "custom" ? filter.keys : [filter.key]
}

/** Values of the active filters, by parameter. */
export function filtersInUse(
  filters: readonly ListFilter[],
  values: ListState["values"],
): Readonly<Record<string, unknown>> {
  const keys = filters.flatMap(keysOf).filter((key) => values[key] !== undefined)
  return Object.fromEntries(keys.map((key) => [key, values[key]]))
}

/** A change that clears every filter. */
export function withoutFilters(filters: readonly ListFilter[]): ListChange {
  return Object.fromEntries(filters.flatMap(keysOf).map((key) => [key, undefined]))
}

/** The filters of a list with their values from the URL. */
export function ListFilters({ filters, state }: { filters: readonly ListFilter[]; state: ListState }) {
  return filters.map((filter) => <Filter key={keysOf(filter).join()} filter={filter} state={state} />)
}

function Filter({ filter, state: { values, setFilter } }: { filter: ListFilter; state: ListState }) {
  if (filter.type === "custom") return filter.render(setFilter, values)
  const { label } = filter
  if (filter.type === "days" || filter.type === "points") {
    const [first, last] = rangeKeys[filter.type]
    const range = { from: textOf(values[first]), to: textOf(values[last]) }
    return (
      <PanelFilter
        label={label}
        value={filter.type === "days" ? rangeLabel(range) : pointsWords(range)}
        onRemove={() => setFilter({ [first]: undefined, [last]: undefined })}
      >
        {(close) => (
          <RangeChoice
            type={filter.type}
            times={filter.type === "days" && filter.times === true}
            value={range}
            help={filter.help}
            onChoose={({ from, to }) => {
              setFilter({ [first]: from, [last]: to })
              close()
            }}
          />
        )}
      </PanelFilter>
    )
  }
  const { key } = filter
  const value = textOf(values[key])
  const set = (text?: string) =>
    setFilter({ [key]: text || undefined }, { replace: filter.type === "search" })
  if (filter.type === "search") return <SearchField label={label} value={value ?? ""} onSearch={set} />
  if (filter.type === "choice")
    return <ChoiceFilter label={label} value={value} choices={filter.choices} onChange={set} />
  return (
    <PanelFilter label={label} value={value} onRemove={() => set()}>
      {(close) => (
        <TextChoice
          label={label}
          value={value ?? ""}
          seen={filter.seen}
          help={filter.help}
          onChoose={(text) => {
            set(text)
            close()
          }}
        />
      )}
    </PanelFilter>
  )
}

/** "5,000 to 25,000", "from 5,000", "up to 25,000". */
function pointsWords({ from, to }: DayRange): string | undefined {
  const [least, most] = [from, to].map((end) => end !== undefined && formatPoints(Number(end)))
  if (least) return most ? `${least} to ${most}` : `from ${least}`
  return most ? `up to ${most}` : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

/** In ms. */
const pause = 140

interface SearchProps {
  value: string
  onSearch: (value: string) => void
}

/** The search of a list. The input is written to the URL after a pause, on Enter and on blur. */
function SearchField(props: SearchProps & { label: string }) {
  const { text, type, commit, clear } = useSearchText(props)
  const composed = useComposedText(text, type)
  return (
    <div className={classes.search}>
      <IconSearch size={16} stroke={1.75} aria-hidden className="text-muted" />
      <input
        data-list-search
        className="plain-input"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={`Search: ${props.label}`}
        placeholder={props.label}
        maxLength={limits.shortText}
        {...composed}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === "Enter") commit()
          if (event.key === "Escape" && text !== "") clear()
        }}
      />
      {text !== "" && (
        <CloseButton
          size={24}
          iconSize="64%"
          aria-label="Clear the search"
          onClick={({ currentTarget }) => {
            currentTarget.parentElement?.querySelector("input")?.focus()
            clear()
          }}
        />
      )}
    </div>
  )
}

/** The search text; repeated spaces are collapsed. */
const normalised = (text: string) => searchedText(text).trim().replaceAll(/\s+/g, " ")

/** The text of the field: from the URL, except while the user types. */
function useSearchText({ value, onSearch }: SearchProps) {
  const [text, setText] = useState(value)
  const [typing, setTyping] = useState(false)
  const [valueBefore, setValueBefore] = useState(value)
  if (valueBefore !== value) {
    setValueBefore(value)
    if (!typing && normalised(text) !== value) setText(value)
  }
  const send = (next: string) => {
    setTyping(false)
    if (normalised(next) !== value) onSearch(normalised(next))
  }
  const sendLater = useDebouncedCallback(send, pause)
  const type = (next: string) => {
    setText(next)
    setTyping(true)
    sendLater(next)
  }
  const clear = () => {
    sendLater.cancel()
    setText("")
    send("")
  }
  return { text, type, commit: () => sendLater.flush(), clear }
}

/** A filter in a popover. The button stays the same element, so that it gets the focus back. */
export function PanelFilter(props: {
  label: string
  value: ReactNode | undefined
  onRemove: () => void
  children: (close: () => void) => ReactNode
}) {
  const { label, value, onRemove, children } = props
  const used = value !== undefined
  return (
    <Group gap={0} wrap="nowrap" miw={0} maw={320} className={classes.filter}>
      <Popover
        label={label}
        button={
          <Button
            variant={used ? "default" : "subtle"}
            leftSection={!used && <IconPlus size={16} stroke={1.75} aria-hidden />}
          >
            <span className={used ? "text-muted" : undefined}>{label}</span>
            {used && <span className={`truncate ${classes.value}`}>{value}</span>}
          </Button>
        }
      >
        {children}
      </Popover>
      {used && (
        <Button
          className={classes.remove}
          aria-label={`Remove the filter ${label}`}
          onClick={({ currentTarget }) => {
            currentTarget.parentElement?.querySelector("button")?.focus()
            onRemove()
          }}
        >
          <IconX size={14} stroke={2} aria-hidden />
        </Button>
      )}
    </Group>
  )
}

/** A filter with a fixed set of values, as a menu. */
export function ChoiceFilter<T extends string>(props: {
  label: string
  value: T | undefined
  choices: readonly { readonly value: T; readonly label: ReactNode }[]
  onChange: (value: T | undefined) => void
}) {
  const { label, value, choices, onChange } = props
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <PanelFilter label={label} value={chosen?.label ?? value} onRemove={() => onChange(undefined)}>
      {(close) => (
        <Box component="ul" miw={176} m={-12}>
          {choices.map((choice) => (
            <li key={choice.value}>
              <Button
                variant="choice"
                aria-pressed={choice === chosen}
                rightSection={choice === chosen && <IconCheck size={16} stroke={1.75} aria-hidden />}
                onClick={() => {
                  onChange(choice.value)
                  close()
                }}
              >
                {choice.label}
              </Button>
            </li>
          ))}
        </Box>
      )}
    </PanelFilter>
  )
}
