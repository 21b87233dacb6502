import type { FieldProblem } from "../../contract/desk/answer.ts"

interface Issue {
  readonly code?: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly expected?: string
  readonly format?: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly origin?: string
}

/** What zod says when the contract gives no sentence of its own. */
const unsaid = "Invalid input"

/** The issues of a strict parse as problems, the first one of each field. */
export function fieldProblems(issues: readonly Issue[]): FieldProblem[] {
  const found = new Map<string, string>()
  let whole: string | undefined
  for (const issue of issues) {
    const path = issue.path.map(String).join(".")
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys ?? [])
        found.set(path === "" ? key : `${path}.${key}`, "This is not known here.")
    } else if (path === "") {
      whole ??= sentence(issue)
    } else if (!found.has(path)) {
      found.set(path, sentence(issue))
    }
  }
  // A problem of the whole is usually the shadow of one that has a name.
  if (whole !== undefined && found.size === 0) found.set("body", whole)
  return [...found].map(([field, message]) => ({ field, message }))
}

function sentence(issue: Issue): string {
  if (issue.message !== unsaid) return issue.message
  const unit = issue.origin === "string" ? " characters" : ""
  switch (issue.code) {
    case "invalid_value":
      return `One of: ${(issue.values ?? []).join(", ")}.`
    case "too_small":
      return `At least ${issue.minimum}${unit}.`
    case "too_big":
      return `At most ${issue.maximum}${unit}.`
    case "invalid_format":
      return formats[issue.format ?? ""] ?? "This has another form than expected."
    case "invalid_type":
      return types[issue.expected ?? ""] ?? "This has another form than expected."
    default:
      return "This is not acceptable here."
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
