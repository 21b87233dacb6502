import { Group, Stack } from "@mantine/core"
import { IconChevronRight } from "@tabler/icons-react"
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId } from "react"
import { Button } from "../ui/button.tsx"
import classes from "./field-groups.module.css"

/** A radio button in a box with a description; `joined` shares its frame with its neighbours. */
export function RadioOption(
  props: Omit<ComponentProps<"input">, "type" | "title" | "className"> & {
    title: ReactNode
    joined?: boolean
    children: ReactNode
  },
) {
  const { title, joined = false, children, ...input } = props
  const id = useId()
  return (
    <label
      className={`${classes.option} ${joined ? `hover-fill ${classes.joined}` : ""}`}
      data-on={input.checked || undefined}
      data-off={input.disabled || undefined}
    >
      <input
        {...input}
        type="radio"
        className="radio"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-help`}
      />
      <span id={`${id}-title`} className={joined ? "l-medium" : undefined}>
        {title}
      </span>
      <span id={`${id}-help`} className={joined ? "l-meta l-num" : undefined}>
        {children}
      </span>
    </label>
  )
}

/** A `RadioOption` for each of a few values. */
export function OptionCards<T extends string>(props: {
  legend: ReactNode
  /** Undefined while nothing is chosen. */
  value: T | undefined
  onChange: (value: T) => void
  options: readonly {
    readonly value: T
    readonly label: ReactNode
    readonly help: ReactNode
    off?: boolean
  }[]
}) {
  const { legend, value, onChange, options } = props
  const name = useId()
  return (
    <Stack component="fieldset" gap="sm" className={classes.options}>
      <legend>{legend}</legend>
      {options.map(({ value: each, label, help, off = false }) => (
        <RadioOption
          key={each}
          name={name}
          title={label}
          checked={value === each}
          disabled={off}
          onChange={() => onChange(each)}
        >
          {help}
        </RadioOption>
      ))}
    </Stack>
  )
}

/**
 * A field with suggestions below it that fill it in on click. They are not in the tab order: the down arrow moves from
 * the field to them, arrows move among them, and choosing one or the up arrow returns to the field.
 */
export function Suggestions<T extends string | number>(props: {
  label: string
  icon?: ReactNode
  value: T
  options: readonly { readonly value: T; readonly label: string }[]
  onPick: (value: T) => void
  children: ReactNode
}) {
  const { label, icon, value, options, onPick, children } = props
  return (
    <Stack gap={8} onKeyDown={moveFocus} className={classes.suggested}>
      {children}
      {options.length > 0 && (
        <Group component="ul" gap="sm" className={classes.suggestions} aria-label={label}>
          {options.map((option) => (
            <li key={option.value}>
              <Button
                size="xs"
                fz="var(--l-fs-ui)"
                miw={72}
                maw="100%"
                tabIndex={-1}
                variant={option.value === value ? "light" : "default"}
                leftSection={icon}
                className="l-num"
                aria-pressed={option.value === value}
                onClick={({ currentTarget, detail }) => {
                  onPick(option.value)
                  // After a choice by key, Tab continues from the field.
                  if (detail === 0) currentTarget.closest("div")?.querySelector("input")?.focus()
                }}
              >
                <span className="truncate">{option.label}</span>
              </Button>
            </li>
          ))}
          <li aria-hidden className={classes.hint}>
            <kbd>↓</kbd>
          </li>
        </Group>
      )}
    </Stack>
  )
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const { currentTarget, target, key } = event
  const field = currentTarget.querySelector("input")
  const buttons = [...currentTarget.querySelectorAll<HTMLButtonElement>("li > button")]
  const at = buttons.findIndex((button) => button === target)
  const moved = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1 }[key]
  const to = key === "ArrowUp" ? field : buttons[moved ?? -1]
  if (to == null || (at < 0 && key !== "ArrowDown")) return
  event.preventDefault()
  to.focus()
}

/** Collapsed fields that are rarely needed. */
export function FoldedFields(props: {
  label: string
  given: string
  open: boolean
  onToggle: (open: boolean) => void
  children: ReactNode
}) {
  const { label, given, open, onToggle, children } = props
  return (
    <details
      className={classes.folded}
      open={open}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
        {label}
        {given !== "" && <span className="text-muted truncate">{given}</span>}
      </summary>
      {children}
    </details>
  )
}
