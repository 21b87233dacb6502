import { ApiError } from "../api/errors.ts"

/**
 * What the server found wrong with a job's rows (`rows.0.points`), named by the form's fields (`points`). A card's
 * recipient (`rows.0.member.email`) stands in forms without a name of its own.
 */
export function atFormFields(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.details?.fields === undefined) return error
  const named = new Map(
    error.details.fields.map((problem) => {
      const field = problem.field.replace(/^rows\.\d+\.(?:member\.)?/, "")
      return [field, { ...problem, field }]
    }),
  )
  const { status, code, message, requestId, retryAfter } = error
  const details = { ...error.details, fields: [...named.values()] }
  return new ApiError({ status, code, message, requestId, retryAfter, details })
}
