import { TextInput } from "@mantine/core"
import { useState } from "react"
import { FieldError } from "../../forms/field-error.tsx"
import type { ImportSession } from "../session/import-session.ts"
import type { FieldView } from "../sheet/sheet-view.ts"
import classes from "./import-sheet.module.css"

/** Values for all rows, for what no column holds: "Reason for all rows". */
export function ConstantFields({ session }: { session: ImportSession }) {
  const { fields, columns, constants } = session.state
  const held = new Set(columns.map((column) => column.field))
  const open = fields.filter(
    ({ key, constant, required }) => constant && !held.has(key) && (required || constants[key] !== undefined),
  )
  if (open.length === 0) return null
  return (
    <div className={classes.constants}>
      {open.map((field) => (
        // Taken back by an undo, the field shows what it held before.
        <ConstantField key={`${field.key} ${constants[field.key] ?? ""}`} session={session} field={field} />
      ))}
    </div>
  )
}

function ConstantField({ session, field }: { session: ImportSession; field: FieldView }) {
  const { constants, constantProblems } = session.state
  const before = constants[field.key] ?? ""
  const [text, setText] = useState(before)
  const problem = constantProblems[field.key]
  const keep = () => {
    if (text.trim() !== before) void session.fill(field.key, text.trim())
  }
  return (
    <TextInput
      label={`${field.label} for all rows`}
      value={text}
      error={problem === undefined ? undefined : <FieldError message={problem} />}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={keep}
      onKeyDown={({ key }) => {
        if (key === "Enter") keep()
      }}
    />
  )
}
