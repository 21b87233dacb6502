import { Button } from "@mantine/core"
import { IconCheck, IconColumns3, IconPlus, IconSearch, IconX } from "@tabler/icons-react"
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react"
import type { ColumnChoice, ListColumn } from "./list-columns.ts"
import { Popover, type PopoverButtonProps } from "../ui/popover.tsx"
import classes from "./filters.module.css"

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (value: string) => void
  maxLength: number
}

/** How long the typing rests before the list is asked, in ms. */
const rest = 250

/** The search of a list. What is typed goes to the address when the typing rests, on Enter and on leaving. */
export function SearchField({ label, value, onSearch, maxLength }: SearchFieldProps) {
  const { text, type, commit, clear } = useRestedText(value, onSearch)
  return (
    <div className={classes.field}>
      <IconSearch size={16} stroke={1.75} aria-hidden className={classes.icon} />
      <input
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        data-list-search
        className={classes.input}
        aria-label={`Search: ${label}`}
        placeholder={label}
        maxLength={maxLength}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit()
          if (event.key === "Escape" && text !== "") clear()
        }}
      />
      {text !== "" && (
        <button type="button" className={classes.clear} aria-label="Clear the search" onClick={clear}>
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      )}
    </div>
  )
}

/**
 * The text of the field: the address's, except while somebody types. A change from elsewhere (Back, Clear) is
 * taken over unless it is what was typed.
 */
function useRestedText(value: string, onSearch: (value: string) => void) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [typing, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (seen !== value) {
    setSeen(value)
    if (!typing && text.trim() !== value) setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  // The address may have moved on while the typing rested.
  const current = useRef(value)
  useEffect(() => {
    current.current = value
  }, [value])

  const send = (next: string) => {
    clearTimeout(timer.current)
    setTyping(false)
    if (next.trim() !== current.current) onSearch(next.trim())
  }
  return {
    text,
    type: (next: string) => {
      setText(next)
      setTyping(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => send(next), rest)
    },
    commit: () => {
      if (typing) send(text)
    },
    clear: () => {
      setText("")
      send("")
    },
  }
}

interface FilterChipProps extends PopoverButtonProps {
  label: string
  value: ReactNode | undefined
  onRemove: () => void
}

/**
 * A filter. Not in use: a plain "+ Status". In use: its name, its value and its own x. Its button is the same element in both states, so that the focus comes back to it.
 */
function FilterChip({ label, value, onRemove, ...button }: FilterChipProps) {
  const used = value !== undefined
  return (
    <span className={classes.chip} data-used={used || undefined}>
      <button type="button" {...button} className={classes.open}>
        {!used && <IconPlus size={16} stroke={1.75} aria-hidden />}
        <span className={classes.name}>{label}</span>
        {used && <span className={classes.value}>{value}</span>}
      </button>
      {used && (
        <button
          type="button"
          className={classes.remove}
          aria-label={`Remove the filter ${label}`}
          onClick={onRemove}
        >
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      )}
    </span>
  )
}

interface PanelFilterProps {
  label: string
  value: ReactNode | undefined
  onRemove: () => void
  children: (close: () => void) => ReactNode
}

/** A filter that is set in a small panel under its button. */
export function PanelFilter({ label, value, onRemove, children }: PanelFilterProps) {
  return (
    <Popover
      label={label}
      renderButton={(props) => <FilterChip label={label} value={value} onRemove={onRemove} {...props} />}
    >
      {(close) => <Suspense>{children(close)}</Suspense>}
    </Popover>
  )
}

/** One value a filter can take. */
interface Choice<T extends string> {
  readonly value: T
  readonly label: ReactNode
}

interface ChoiceFilterProps<T extends string> {
  label: string
  value: T | undefined
  choices: readonly Choice<T>[]
  onChange: (value: T | undefined) => void
}

/** A filter with a fixed set of values, chosen from a list. */
export function ChoiceFilter<T extends string>({ label, value, choices, onChange }: ChoiceFilterProps<T>) {
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <PanelFilter label={label} value={chosen?.label ?? value} onRemove={() => onChange(undefined)}>
      {(close) => (
        <ul className={classes.choices}>
          {choices.map((choice) => (
            <li key={choice.value}>
              <button
                type="button"
                className={classes.choice}
                aria-pressed={choice.value === value}
                onClick={() => {
                  onChange(choice.value)
                  close()
                }}
              >
                <span>{choice.label}</span>
                {choice.value === value && <IconCheck size={16} stroke={1.75} aria-hidden />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </PanelFilter>
  )
}

const ColumnsChooser = lazy(async () => ({
  default: (await import("./filter-panels.tsx")).ColumnsChooser,
}))

interface ColumnsButtonProps {
  columns: readonly ListColumn<never>[]
  choice: ColumnChoice
  onChoose: (choice: ColumnChoice) => void
}

/** Opens the choice of columns. */
export function ColumnsButton(props: ColumnsButtonProps) {
  return (
    <Popover
      label="Columns"
      align="end"
      renderButton={(button) => (
        <Button leftSection={<IconColumns3 size={16} stroke={1.75} aria-hidden />} {...button}>
          Columns
        </Button>
      )}
    >
      {() => (
        <Suspense>
          <ColumnsChooser {...props} />
        </Suspense>
      )}
    </Popover>
  )
}
