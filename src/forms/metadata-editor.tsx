import { Group, NativeSelect, SegmentedControl, Stack, Textarea, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { type Ref, useRef, useState } from "react"
import { type FieldValues, useController } from "react-hook-form"
import * as z from "zod/mini"
import { ExactNumber, isLosslessNumber, parseExact } from "../../contract/exact-json.ts"
import { limits } from "../../contract/limits.ts"
import { isStorable } from "../../contract/program/common.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { FieldError, SelectChevron } from "../ui/field-parts.tsx"
import { FieldLabel, type FieldProps } from "./fields.tsx"
import classes from "./form.module.css"

/** Types of metadata values. Editing a value keeps its type until another is selected. */
const metadataKinds = ["text", "number", "yes-no", "nothing", "json"] as const
/** Type of a metadata value. */
type MetadataKind = (typeof metadataKinds)[number]

/** One metadata key in the editor; `text` is the content of the value's field. */
export const metadataRow = z.object({ key: z.string(), kind: z.enum(metadataKinds), text: z.string() })
/** One row of the editor. */
export type MetadataRow = z.output<typeof metadataRow>

/** Metadata as rows, in the original order; empty if absent. */
export function rowsOf(metadata: Readonly<Record<string, unknown>> | null | undefined): MetadataRow[] {
  return Object.entries(metadata ?? {}).map(([key, value]) => rowOf(key, value))
}

function rowOf(key: string, value: unknown): MetadataRow {
  if (typeof value === "string") return { key, kind: "text", text: value }
  if (typeof value === "number" || value instanceof ExactNumber)
    return { key, kind: "number", text: JSON.stringify(value) }
  if (typeof value === "boolean") return { key, kind: "yes-no", text: value ? "yes" : "no" }
  if (value === null) return { key, kind: "nothing", text: "" }
  return { key, kind: "json", text: JSON.stringify(value, null, 2) }
}

function problemOf({ kind, text }: MetadataRow): string | null {
  if (text.length > limits.metadata.value) return `At most ${limits.metadata.value} characters.`
  if (!isStorable(text)) return "This value has a character that cannot be stored."
  if (kind === "number" && !isNumber(text))
    return "A number such as 12 or 3.5. For anything else choose Text under Advanced."
  if (kind === "number" && !isLosslessNumber(text))
    return "This number has too many digits to be kept exactly. Choose Text under Advanced to keep every digit."
  if (kind === "json" && parseJson(text) === undefined)
    return "This is not JSON yet. Check quotes and commas."
  return null
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text))
}

type JsonValue = string | number | boolean | null | ExactNumber | unknown[] | Record<string, unknown>

const jsonValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.instanceof(ExactNumber),
  z.array(z.unknown()),
  z.custom<Record<string, unknown>>((value) => typeof value === "object"),
])

function parseJson(text: string): JsonValue | undefined {
  try {
    return jsonValue.safeParse(parseExact(text)).data
  } catch {
    return undefined
  }
}

/** A row's value as displayed. */
export function rowText({ kind, text }: MetadataRow): string {
  return kind === "nothing" ? "Nothing" : text
}

function valueOf({ kind, text }: MetadataRow): JsonValue {
  if (kind === "number") return isLosslessNumber(text) ? Number(text) : new ExactNumber(text)
  if (kind === "yes-no") return text === "yes"
  if (kind === "nothing") return null
  return kind === "json" ? (parseJson(text) ?? null) : text
}

/** Metadata from rows without problems; see `metadataRows`. */
export function metadataOf(rows: readonly MetadataRow[]): Record<string, JsonValue> {
  return Object.fromEntries(rows.map((row) => [row.key, valueOf(row)]))
}

/**
 * Checks rows: keys are unique, values valid, at most 50 rows.
 * @param base the original rows; an unchanged row is never refused
 */
export function checkMetadataRows(
  ctx: z.core.ParsePayload<MetadataRow[]>,
  base: readonly MetadataRow[] = [],
): void {
  const rows = ctx.value
  const asCame = new Set(base.map((row) => JSON.stringify([row.key, row.kind, row.text])))
  const seen = new Map<string, number>()
  const say = (path: (string | number)[], message: string) =>
    ctx.issues.push({ code: "custom", path, message, input: rows })
  for (const [index, row] of rows.entries()) {
    const earlier = seen.get(row.key)
    const isTouched = !asCame.has(JSON.stringify([row.key, row.kind, row.text]))
    if (isTouched && row.key.trim() === "") say([index, "key"], "Enter a name, or remove the field.")
    else if (earlier !== undefined) say([index, "key"], `Field ${earlier + 1} has this name already.`)
    else if (isTouched && row.key.length > limits.metadata.key) {
      say([index, "key"], `At most ${limits.metadata.key} characters.`)
    } else if (isTouched && !isStorable(row.key))
      say([index, "key"], "This name has a character that cannot be stored.")
    if (earlier === undefined) seen.set(row.key, index)
    const problem = isTouched ? problemOf(row) : null
    if (problem !== null) say([index, "text"], problem)
  }
  if (rows.length > limits.metadata.keys) {
    say([], `At most ${limits.metadata.keys} fields; there are ${rows.length}.`)
  }
}

/** Validated rows of the editor. */
export const metadataRows = z.array(metadataRow).check((ctx) => checkMetadataRows(ctx))

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
