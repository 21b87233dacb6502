import { DeskFailure } from "../../errors.ts"

/** Refusals of a key, of a rate or of a service in trouble: they pass, or stop the whole job. */
const passing: ReadonlySet<number> = new Set([401, 403, 408, 429])

/**
 * The outcome of a row whose record the service does not give: asking again would be answered the same. Undefined for
 * failures that pass.
 * @param missing what a record that is not there is called
 */
export function refusedRead(
  error: unknown,
  missing: { readonly code: string; readonly message: string },
): { readonly code: string; readonly message: string } | undefined {
  if (!(error instanceof DeskFailure)) return undefined
  if (error.code === "not_found") return missing
  const { upstream_status: status = 500, upstream_code: code } = error.details ?? {}
  if (error.code !== "refused_by_service" || status >= 500 || passing.has(status)) return undefined
  return { code: code ?? "refused_by_service", message: error.message }
}
