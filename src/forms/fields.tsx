import { Group, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core"
import { IconChevronRight } from "@tabler/icons-react"
import {
  type ComponentProps,
  type HTMLInputTypeAttribute,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useState,
} from "react"
import { type Control, type FieldPathByValue, type FieldValues, useController } from "react-hook-form"
import { countFormatCharacters, exactText } from "../../contract/typed-text.ts"
import { Button } from "../ui/button.tsx"
import { FieldError, SelectChevron } from "../ui/field-parts.tsx"
import { useComposedText } from "../ui/hooks.ts"
import groupClasses from "./field-groups.module.css"
import classes from "./form.module.css"

/** A field's label with a note at its right end. Optional fields are marked there; required ones are not marked. */
export function FieldLabel({ label, aside }: { label: string; aside?: string | undefined }) {
  return (
    <span className={classes.label} data-aside={aside}>
      {label}
    </span>
  )
}

/** Props of every field. `V` is the type of its value: naming a field of another type is a type error. */
export interface FieldProps<I extends FieldValues, O, V> {
  control: Control<I, unknown, O>
  name: FieldPathByValue<I, V>
  label: string
  /** At the label's right end, instead of "Optional". */
  aside?: string | undefined
  help?: ReactNode
  optional?: boolean
  disabled?: boolean
}

/** Props of a Mantine input for a field: value, label, help, error and size. */
export function useField<I extends FieldValues, O>(props: FieldProps<I, O, string>) {
  const { control, name, label, help, optional = false, disabled = false } = props
  const { aside = optional ? "Optional" : undefined } = props
  const { field, fieldState } = useController({ control, name })
  const message = fieldState.error?.message
  return {
    ...field,
    size: "md",
    label: <FieldLabel label={label} aside={aside} />,
    description: help,
    error: message !== undefined && <FieldError message={message} />,
    required: !optional,
    disabled,
  }
}

/** Input props for an id, number, reference, e-mail or phone, and a note after invisible characters were removed. */
export function useExactText(value: string, onText: (text: string) => void) {
  const [removed, setRemoved] = useState(false)
  const props = useComposedText(value, (text) => {
    const exact = exactText(text)
    setRemoved(exact !== "" && (removed || countFormatCharacters(text) > 0))
    onText(exact)
  })
  return { props, note: removed && value !== "" ? "Invisible characters were removed." : undefined }
}

/** One line of text; `first` is focused when its drawer opens. */
export function TextField<I extends FieldValues, O>(
  props: FieldProps<I, O, string> & {
    type?: HTMLInputTypeAttribute
    placeholder?: string
    first?: boolean
    /** An id, number, reference, e-mail or phone, in which every character counts. */
    exact?: boolean
  },
) {
  const { type = "text", placeholder, first, exact = false } = props
  const field = useField(props)
  const composed = useComposedText(field.value, field.onChange)
  const { props: cleaned, note } = useExactText(field.value, field.onChange)
  return (
    <TextInput
      {...field}
      {...(exact ? cleaned : composed)}
      {...(exact && note !== undefined && { description: note })}
      {...{ type, placeholder }}
      autoComplete="off"
      data-autofocus={first || undefined}
    />
  )
}

/** Several lines of text. */
export function TextAreaField<I extends FieldValues, O>(props: FieldProps<I, O, string> & { rows?: number }) {
  return <Textarea {...useField(props)} autosize minRows={props.rows ?? 4} maxRows={24} />
}

/** A native select of a few fixed values, which works the same on a phone. */
export function SelectField<I extends FieldValues, O>(
  props: FieldProps<I, O, string> & {
    options: readonly { value: string; label: string; disabled?: boolean }[]
  },
) {
  return <NativeSelect {...useField(props)} data={[...props.options]} rightSection={<SelectChevron />} />
}

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
      className={`${groupClasses.option} ${joined ? `hover-fill ${groupClasses.joined}` : ""}`}
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
    <Stack component="fieldset" gap="sm" className={groupClasses.options}>
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
    <Stack gap={8} onKeyDown={moveFocus} className={groupClasses.suggested}>
      {children}
      {options.length > 0 && (
        <Group component="ul" gap="sm" className={groupClasses.suggestions} aria-label={label}>
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
          <li aria-hidden className={groupClasses.hint}>
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
      className={groupClasses.folded}
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
