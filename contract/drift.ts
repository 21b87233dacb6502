/** One way in which an answer differs from its document. Never carries a person's data. */
export interface Drift {
  /** Path of the field without list positions, such as `status` or `fulfillment.carrier`. */
  readonly field: string
  /** What the document says there. */
  readonly said: string
  /** What came: a short unlisted value of a closed list, otherwise only its kind. */
  readonly came: string
}

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly expected?: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
  readonly format?: string
}

const longestShownValue = 40

/** Turns the issues of an exact parse into differences, one for each field and kind. */
export function driftOf(issues: readonly Issue[], raw: unknown): Drift[] {
  const seen = new Map<string, Drift>()
  for (const issue of issues) {
    for (const found of describe(issue, raw)) {
      seen.set(`${found.field}|${found.came}`, found)
    }
  }
  return [...seen.values()]
}

function describe(issue: Issue, raw: unknown): Drift[] {
  const field = fieldPath(issue.path)
  if (issue.code === "unrecognized_keys") {
    return (issue.keys ?? []).map((key) => ({
      field: field === "" ? key : `${field}.${key}`,
      said: "not documented",
      came: "an extra field",
    }))
  }
  const value = valueAt(raw, issue.path)
  return [{ field: field || "answer", said: saidBy(issue), came: cameAs(value, issue) }]
}

function fieldPath(path: readonly PropertyKey[]): string {
  return path.filter((step) => typeof step === "string").join(".")
}

function saidBy(issue: Issue): string {
  if (issue.values !== undefined) return issue.values.map(String).join(", ")
  return issue.format ?? dueAt(issue) ?? "a different format"
}

/** The basic type that was due where an issue stands, as zod says it or as a check of ours does. */
export function dueAt(issue: Pick<Issue, "expected" | "params">): string | undefined {
  const due = issue.expected ?? issue.params?.["expected"]
  return typeof due === "string" ? due : undefined
}

function cameAs(value: unknown, issue: Issue): string {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  const closedList = issue.values !== undefined
  if (closedList && typeof value === "string" && value.length <= longestShownValue)
    return JSON.stringify(value)
  return Array.isArray(value) ? "a list" : `another ${typeof value}`
}

/** What stands at a path; undefined where nothing does. */
export function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = raw
  for (const step of path) {
    if (typeof at !== "object" || at === null) return undefined
    at = Reflect.get(at, step)
  }
  return at
}
