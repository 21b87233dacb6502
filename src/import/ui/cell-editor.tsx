import { useEffect, useRef } from "react"
import classes from "./import-grid.module.css"

interface CellEditorProps {
  /** What is edited; read aloud. */
  label: string
  text: string
  /** Whether the whole text is selected at first, to be replaced. */
  select: boolean
  end: boolean
  mono: boolean
  onChange: (text: string) => void
  /** The focus went elsewhere: what was typed is kept. */
  onLeave: () => void
}

/** The field in a cell while it is edited. Its keys are the grid's. */
export function CellEditor({ label, text, select, end, mono, onChange, onLeave }: CellEditorProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    if (select) field.current?.select()
  }, [select])
  return (
    <input
      ref={field}
      className={classes.editor}
      aria-label={label}
      data-end={end || undefined}
      data-mono={mono || undefined}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={onLeave}
    />
  )
}
