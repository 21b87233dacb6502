import { ApiError } from "./errors.ts"

/**
 * A path of the desk's own server from its segments, each encoded, so that an id with `/ ? # %` stays one
 * segment.
 * @throws ApiError 404 for `.` and `..`, which a browser would resolve to another path before sending: no
 * record can be reached by such an id
 */
export function apiPath(...segments: readonly string[]): string {
  for (const segment of segments) {
    if (/^(\.|%2e){1,2}$/i.test(segment) || segment === "") {
      throw new ApiError({ status: 404, code: "not_found", message: `No record has the id "${segment}".` })
    }
  }
  return `/api/${segments.map(encodeURIComponent).join("/")}`
}

/** What a query parameter may be; empty and missing ones are not sent. */
export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>

/** `?page=2&search=ana`, or nothing. Keys keep their order, so equal questions make equal addresses. */
export function queryText(query: QueryValues | undefined): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== "") params.append(key, String(value))
  }
  const text = params.toString()
  return text === "" ? "" : `?${text}`
}
