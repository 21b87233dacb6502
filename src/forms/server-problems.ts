import type { FieldValues, Path, UseFormReturn } from "react-hook-form"
import type { FieldProblem } from "../../contract/response.ts"
import { ApiError } from "../api/errors.ts"

/** Problems by field that an error answer names. */
export function problemsOf(error: unknown): readonly FieldProblem[] {
  return error instanceof ApiError ? (error.details?.fields ?? []) : []
}

/** The form's field a problem belongs to: its own, or the one that holds it (`metadata.region` → `metadata`). */
function fieldFor(problem: FieldProblem, fields: readonly string[]): string | undefined {
  return fields.find((field) => problem.field === field || problem.field.startsWith(`${field}.`))
}

/** Problems that no field of this form can show; the form shows them itself. */
export function homelessProblems(error: unknown, fields: readonly string[]): readonly FieldProblem[] {
  return problemsOf(error).filter((problem) => fieldFor(problem, fields) === undefined)
}

/** Puts what the server found wrong at its fields; the first one gets the focus. */
export function placeProblems<I extends FieldValues, O>(
  methods: UseFormReturn<I, unknown, O>,
  error: unknown,
): void {
  const fields = Object.keys(methods.getValues())
  let shouldFocus = true
  for (const problem of problemsOf(error)) {
    const field = fieldFor(problem, fields)
    if (field === undefined) continue
    const inside = problem.field === field ? "" : `${problem.field.slice(field.length + 1)}: `
    methods.setError(
      // `fields` are the names of the form's own values.
      field as Path<I>,
      { type: "server", message: inside + problem.message },
      { shouldFocus },
    )
    shouldFocus = false
  }
}
