/** What a record carries beside its documented fields, as it came; a missing or empty record has nothing. */
export function furtherFields(record: object, documented: readonly string[]): [string, unknown][] {
  return Object.entries(record).filter(([field]) => !documented.includes(field))
}

/** Any value in one line of text: words as they are, everything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}
