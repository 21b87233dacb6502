import { Button, CloseButton, TextInput } from "@mantine/core"
import { IconCheck, IconColumns3, IconPlus, IconSearch, IconX } from "@tabler/icons-react"
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react"
import { Popover } from "../ui/popover.tsx"
import classes from "./filters.module.css"

const rest = 250

/** The search of a list. What is typed goes to the address when the typing rests, on Enter and on leaving. */
export function SearchField(props: {
  label: string
  value: string
  onSearch: (value: string) => void
  maxLength: number
}) {
  const { text, type, commit, clear } = useRestedText(props.value, props.onSearch)
  return (
    <TextInput
      data-list-search
      className={classes.search}
      inputMode="search"
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      aria-label={`Search: ${props.label}`}
      placeholder={props.label}
      maxLength={props.maxLength}
      leftSectionWidth={36}
      leftSection={<IconSearch size={16} stroke={1.75} aria-hidden className="text-muted" />}
      rightSection={text !== "" && <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit()
        if (event.key === "Escape" && text !== "") clear()
      }}
    />
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
  // The address may have moved on while the typing rested.
  const current = useRef(value)
  useEffect(() => {
    current.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const send = (next: string) => {
    clearTimeout(timer.current)
    setText(next)
    setTyping(false)
    if (next.trim() !== current.current) onSearch(next.trim())
  }
  const type = (next: string) => {
    setText(next)
    setTyping(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(next), rest)
  }
  return { text, type, commit: () => typing && send(text), clear: () => send("") }
}

/**
 * A filter that is set in a small panel under its button. Not in use: a plain "+ Status". In use: its name, its value
 * and its own x. Its button is the same element in both states, so that the focus comes back to it.
 */
export function PanelFilter(props: {
  label: string
  value: ReactNode | undefined
  onRemove: () => void
  children: (close: () => void) => ReactNode
}) {
  const { label, value, onRemove, children } = props
  const used = value !== undefined
  return (
    <Popover
      label={label}
      renderButton={(button) => (
        <Button.Group maw={320}>
          <Button
            variant={used ? "default" : "subtle"}
            px={10}
            leftSection={!used && <IconPlus size={16} stroke={1.75} aria-hidden />}
            classNames={{ root: classes.filter, label: classes.filterLabel }}
            {...button}
          >
            <span className={used ? "text-muted" : undefined}>{label}</span>
            {used && <span className={classes.value}>{value}</span>}
          </Button>
          {used && (
            <Button
              px={7}
              className={classes.remove}
              aria-label={`Remove the filter ${label}`}
              onClick={onRemove}
            >
              <IconX size={14} stroke={2} aria-hidden className="text-muted" />
            </Button>
          )}
        </Button.Group>
      )}
    >
      {(close) => <Suspense>{children(close)}</Suspense>}
    </Popover>
  )
}

/** A filter with a fixed set of values, chosen from a list. */
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
        <ul className={classes.choices}>
          {choices.map((choice) => (
            <li key={choice.value}>
              <Button
                variant="subtle"
                fullWidth
                justify="space-between"
                px="sm"
                fw={400}
                c="inherit"
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
        </ul>
      )}
    </PanelFilter>
  )
}

const ColumnsChooser = lazy(async () => ({
  default: (await import("./filter-panels.tsx")).ColumnsChooser,
}))

/** Opens the choice of columns. */
export function ColumnsButton(props: ComponentProps<typeof ColumnsChooser>) {
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
