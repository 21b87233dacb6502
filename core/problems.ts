import type { FieldProblem } from "../contract/response.ts"

interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
}

/** What is known of a problem while a sentence for it is looked for. */
interface Found {
  readonly code?: string | undefined
  readonly input?: unknown
  readonly values?: readonly unknown[] | undefined
  readonly expected?: string | undefined
  readonly format?: string | undefined
  readonly minimum?: number | bigint | undefined
  readonly maximum?: number | bigint | undefined
  readonly origin?: string | undefined
  /** What is wrong with a name of a record's field. */
  readonly issues?: readonly { readonly message: string }[] | undefined
}

/**
 * Given to every strict parse: the desk's own sentence wherever the contract gives none. Asked for with each parse,
 * because the library's own texts are one setting for the whole process, which any other module may change.
 */
export const inOwnWords = { error: (issue: Found): string => sentence(issue) }

/** The issues of a strict parse as problems, the first one of each field. */
export function fieldProblems(issues: readonly Issue[]): FieldProblem[] {
  const found = new Map<string, string>()
  let whole: string | undefined
  for (const issue of issues) {
    const path = issue.path.map(String).join(".")
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys ?? []) found.set(path === "" ? key : `${path}.${key}`, "Unknown field.")
    } else if (path === "") {
      whole ??= issue.message
    } else if (!found.has(path)) {
      found.set(path, issue.message)
    }
  }
  // A problem of the whole is usually the shadow of one that has a name.
  if (whole !== undefined && found.size === 0) found.set("body", whole)
  return [...found].map(([field, message]) => ({ field, message }))
}

function sentence(issue: Found): string {
  const unit = issue.origin === "string" ? " characters" : ""
  switch (issue.code) {
    case "invalid_value":
      return `One of: ${(issue.values ?? []).join(", ")}.`
    case "too_small":
      return `At least ${issue.minimum}${unit}.`
    case "too_big":
      return `At most ${issue.maximum}${unit}.`
    case "invalid_format":
      return formats[issue.format ?? ""] ?? "Unexpected format."
    case "invalid_key":
      return issue.issues?.[0]?.message ?? "This name cannot be used."
    case "invalid_type":
      return issue.input === undefined
        ? "This is missing."
        : (types[issue.expected ?? ""] ?? "Unexpected format.")
    default:
      return "Not allowed here."
  }
}

const formats: Readonly<Record<string, string>> = {
  date: "A date such as 2026-03-31.",
  datetime: "A time such as 2026-03-31T09:00:00Z.",
}

const types: Readonly<Record<string, string>> = {
  int: "A whole number.",
  number: "A whole number.",
  string: "Text.",
  boolean: "Yes or no.",
  object: "An object with fields.",
}
