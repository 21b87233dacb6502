import { Group, NativeSelect, Stack, Textarea, TextInput, SegmentedControl } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useRef, useState, type Ref } from "react"
import { type FieldValues, useController } from "react-hook-form"
import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { FieldLabel, type FieldProps } from "./fields.tsx"
import { FieldError, SelectChevron } from "../ui/field-parts.tsx"
import classes from "./form.module.css"
import { metadataKinds, metadataRow, type MetadataKind, type MetadataRow } from "./metadata.ts"

const rowList = z.array(metadataRow)

/** Metadata as key and value rows, which can be added, renamed, changed and removed. */
export function MetadataField<I extends FieldValues, O>(props: FieldProps<I, O, MetadataRow[]>) {
  const { control, name, label, help } = props
  const { field, fieldState } = useController({ control, name })
  const rows = rowList.safeParse(field.value).data ?? []
  const { own, byRow } = rowProblems(fieldState.error)
  const [advanced, setAdvanced] = useState(false)
  // A problem with a value can be its type.
  const showsTypes = advanced || rows.some(({ kind }, at) => kind !== "text" && byRow.get(at)?.text)
  // Focuses the key of a row that was just added.
  const isNew = useRef(false)
  const focusNew = (input: HTMLInputElement | null) => {
    if (input === null || !isNew.current) return
    isNew.current = false
    input.focus()
  }
  return (
    <Stack
      component="fieldset"
      gap={12}
      className={classes.metadata}
      ref={(box) => field.ref(focusTarget(box))}
    >
      <legend>
        <FieldLabel label={label} aside={props.optional ? "Optional" : undefined} />
      </legend>
      {rows.map((row, index) => (
        <RowEditor
          // Rows are identified by position: keys can be renamed, and can repeat while the user types.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          number={index + 1}
          row={row}
          showsType={showsTypes}
          problems={byRow.get(index)}
          onChange={(changed) => field.onChange(rows.with(index, { ...row, ...changed }))}
          onRemove={() => field.onChange(rows.toSpliced(index, 1))}
          keyRef={index === rows.length - 1 ? focusNew : undefined}
        />
      ))}
      {own === undefined ? (
        help !== undefined && <p className="text-muted l-meta">{help}</p>
      ) : (
        <div className="tone-text l-meta" data-tone="danger" role="alert">
          <FieldError message={own} />
        </div>
      )}
      <Group gap={8}>
        <Button
          size="xs"
          leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
          disabled={rows.length >= limits.metadata.keys}
          onClick={() => {
            isNew.current = true
            field.onChange([...rows, { key: "", kind: "text", text: "" }])
          }}
        >
          Add a field
        </Button>
        {rows.length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            aria-pressed={showsTypes}
            onClick={() => setAdvanced(!showsTypes)}
          >
            Advanced
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function focusTarget(box: HTMLElement | null) {
  if (box === null) return null
  return {
    focus: () => {
      const invalid = box.querySelector<HTMLElement>("[aria-invalid=true]")
      ;(invalid ?? box.querySelector<HTMLElement>("input, button"))?.focus()
    },
  }
}

const kindLabels: Readonly<Record<MetadataKind, string>> = {
  text: "Text",
  number: "Number",
  "yes-no": "Yes or no",
  nothing: "Nothing",
  json: "JSON",
}

function RowEditor(props: {
  number: number
  row: MetadataRow
  showsType: boolean
  problems: RowProblems | undefined
  onChange: (change: Partial<MetadataRow>) => void
  onRemove: () => void
  keyRef: Ref<HTMLInputElement> | undefined
}) {
  const { number, row, showsType, problems, onChange, onRemove, keyRef } = props
  return (
    <div className={`card ${classes.row}`} data-typed={showsType || undefined}>
      <TextInput
        ref={keyRef}
        aria-label={`Field ${number}`}
        placeholder="Name"
        autoComplete="off"
        value={row.key}
        error={problems?.key && <FieldError message={problems.key} />}
        onChange={(event) => onChange({ key: event.currentTarget.value })}
      />
      {showsType && (
        <NativeSelect
          aria-label={`Type of ${row.key || `field ${number}`}`}
          data={metadataKinds.map((value) => ({ value, label: kindLabels[value] }))}
          rightSection={<SelectChevron />}
          value={row.kind}
          onChange={(event) => {
            const kind = metadataKinds.find((each) => each === event.currentTarget.value)
            if (kind !== undefined) onChange({ kind, text: textFor(kind, row.text) })
          }}
        />
      )}
      <IconButton
        label={`Remove ${row.key || `field ${number}`}`}
        icon={<IconTrash size={16} stroke={1.75} />}
        onClick={onRemove}
        size="lg"
      />
      <div>
        <ValueEditor
          label={`Value of ${row.key || `field ${number}`}`}
          row={row}
          problem={problems?.text}
          onChange={(text) => onChange({ text })}
        />
      </div>
    </div>
  )
}

function textFor(kind: MetadataKind, text: string): string {
  if (kind === "yes-no") return ["yes", "true", "1"].includes(text.trim().toLowerCase()) ? "yes" : "no"
  return kind === "nothing" ? "" : text
}

/** The input for a value's type. Text with line breaks needs several lines, or they would be lost. */
function ValueEditor(props: {
  label: string
  row: MetadataRow
  problem: string | undefined
  onChange: (text: string) => void
}) {
  const { label, row, problem, onChange } = props
  if (row.kind === "nothing")
    return <p className="text-muted l-meta">The field is there and holds nothing.</p>
  if (row.kind === "yes-no") {
    return (
      <SegmentedControl
        aria-label={label}
        value={row.text === "yes" ? "yes" : "no"}
        data={[
          { value: "yes", label: "Yes" },
          { value: "no", label: "No" },
        ]}
        onChange={onChange}
      />
    )
  }
  const common = {
    "aria-label": label,
    value: row.text,
    error: problem && <FieldError message={problem} />,
  }
  if (row.kind === "json" || row.text.includes("\n")) {
    return (
      <Textarea
        {...common}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={row.kind === "text"}
        classNames={row.kind === "json" ? { input: "l-mono" } : {}}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      {...common}
      placeholder="Value"
      autoComplete="off"
      inputMode={row.kind === "number" ? "decimal" : "text"}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const message = z.optional(z.object({ message: z.optional(z.string()) }))
const nested = z.looseObject({ key: message, text: message })
const listError = z.looseObject({ message: z.optional(z.string()), root: message })

interface RowProblems {
  readonly key: string | undefined
  readonly text: string | undefined
}

function rowProblems(error: unknown): { own: string | undefined; byRow: ReadonlyMap<number, RowProblems> } {
  const byRow = new Map<number, RowProblems>()
  for (const [index, entry] of (Array.isArray(error) ? error : []).entries()) {
    const { key, text } = nested.safeParse(entry).data ?? {}
    if (key !== undefined || text !== undefined) byRow.set(index, { key: key?.message, text: text?.message })
  }
  // The list's own problem is a property next to its entries.
  const own = listError.safeParse(typeof error === "object" && error !== null ? { ...error } : undefined).data
  return { own: own?.root?.message ?? own?.message, byRow }
}
