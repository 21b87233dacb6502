import { Button, TextInput } from "@mantine/core"
import { useEffect, useRef, useState } from "react"
import classes from "./text-choice.module.css"

interface TextChoiceProps {
  /** What is typed: "Tier". */
  label: string
  value: string
  /** Values seen so far; any other can be typed. */
  seen: readonly { value: string; label: string }[]
  /** Why there may be others: "Tiers seen in what was read; any other can be typed." */
  help: string
  maxLength: number
  onChoose: (value: string) => void
}

/** Sets a filter whose values nobody can list: those seen so far, and free text. */
export function TextChoice({ label, value, seen, help, maxLength, onChoose }: TextChoiceProps) {
  const [text, setText] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The panel takes the focus when it opens; somebody who opened it wants to type.
    const timer = setTimeout(() => field.current?.focus())
    return () => clearTimeout(timer)
  }, [])
  return (
    <form
      className={classes.panel}
      onSubmit={(event) => {
        event.preventDefault()
        onChoose(text.trim())
      }}
    >
      <div className={classes.line}>
        <TextInput
          ref={field}
          label={label}
          autoComplete="off"
          spellCheck={false}
          maxLength={maxLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className={classes.text}
        />
        <Button type="submit">Show</Button>
      </div>
      {seen.length > 0 && (
        <ul className={classes.seen}>
          {seen.map((each) => (
            <li key={each.value}>
              <Button size="xs" onClick={() => onChoose(each.value)} aria-pressed={each.value === value}>
                {each.label}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className="l-meta l-3">{help}</p>
    </form>
  )
}
