import { isRecord } from "./sent-rows.ts"

/** A row's fields by name, nested ones by the names on the way to them (`member.display_name`), as they came. */
export type RowFields = ReadonlyMap<string, unknown>

/** Beyond these a row is no longer something a person would map; its rest stays visible as sent. */
const most = 200
const deepest = 5

/** The name of a row that is a plain value and not a record. */
const plainField = "value"

/** Takes a row apart. A list inside a row stays one value; a row that is itself a list has its positions as names. */
export function rowFields(row: unknown): RowFields {
  const found = new Map<string, unknown>()
  if (typeof row === "object" && row !== null) collect(found, row, [])
  else if (row !== null && row !== undefined) found.set(plainField, row)
  return found
}

function collect(found: Map<string, unknown>, holder: object, way: readonly string[]): void {
  for (const [name, value] of Object.entries(holder)) {
    if (found.size >= most) return
    const path = [...way, name]
    if (isRecord(value) && path.length < deepest && Object.keys(value).length > 0) collect(found, value, path)
    else found.set(fieldName(path), value)
  }
}

/** A dot that belongs to a name gets a backslash, so that two ways never share a name. */
function fieldName(path: readonly string[]): string {
  return path.map((name) => (name === "" ? "(no name)" : name.replaceAll(/[\\.]/g, "\\$&"))).join(".")
}

/** The names on the way to a field. */
export function fieldPath(name: string): readonly string[] {
  return [...name.matchAll(/(?:[^\\.]|\\.)+/gs)].map(([part]) => part.replaceAll(/\\(.)/gs, "$1"))
}

/** Every field that any row has, in the order they first came. */
export function fieldNames(rows: readonly RowFields[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => [...row.keys()]))]
}

/** A value as text in a cell: nothing for nothing, JSON for what is nested. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return ""
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}
