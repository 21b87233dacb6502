/* oxlint-disable jsx-a11y/prefer-tag-over-role -- options with two lines and a picture have no tag of their own */
import { Stack, TextInput, type TextInputProps } from "@mantine/core"
import { useId, useState, type KeyboardEvent, type ReactNode, type Ref } from "react"
import classes from "./picker.module.css"

/** Chooses one of a list by typing part of it: arrows move, Enter chooses. */
export function TypeAhead<T>(props: {
  label: string
  text: string
  onText: (text: string) => void
  options: readonly T[]
  open: boolean
  idOf: (option: T) => string
  draw: (option: T) => ReactNode
  onPick: (option: T) => void
  listLabel: string
  message?: string
  field?: Pick<
    TextInputProps,
    "placeholder" | "error" | "required" | "onFocus" | "onBlur" | "onKeyDown" | "name" | "disabled"
  > & { ref?: Ref<HTMLInputElement>; "data-autofocus"?: boolean }
}) {
  const { options, open, idOf, onPick, field = {} } = props
  const list = useId()
  const [at, setAt] = useState(0)
  const shown = open ? options : []
  const position = Math.min(at, shown.length - 1)
  const current = shown[position]
  const domId = (option: T) => `${list}-${encodeURIComponent(idOf(option))}`

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    field.onKeyDown?.(event)
    if (event.nativeEvent.isComposing || current === undefined) return
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((position + step + shown.length) % shown.length)
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      onPick(current)
    }
  }

  return (
    <Stack gap="xs" miw={0}>
      <TextInput
        {...field}
        size="md"
        label={props.label}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={current === undefined ? undefined : domId(current)}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={props.text}
        onChange={({ currentTarget }) => {
          props.onText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={list} aria-label={props.listLabel} className={`hide-empty ${classes.list}`}>
        {shown.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
          <div
            key={idOf(option)}
            id={domId(option)}
            role="option"
            tabIndex={-1}
            aria-selected={index === position}
            className={classes.option}
            // The field keeps the focus, so that leaving it does not close the list before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(option)}
            onPointerMove={() => setAt(index)}
          >
            {props.draw(option)}
          </div>
        ))}
      </div>
      <output className={"hide-empty caption"}>{props.message}</output>
    </Stack>
  )
}
