import { limits } from "../contract/limits.ts"
import { type AppError, badRequest, methodNotAllowed, notFound } from "./errors.ts"
import { type Operation, policy } from "./policy.ts"

/** A row of a table of addresses, found for a request, with the decoded ids of the request's path. */
export type Match<Row> = Readonly<{ row: Row; params: Readonly<Record<string, string>> }>

/** The row for a method and an encoded path below `/api`. @throws AppError 404, 405, or 400 when an id cannot be one */
export function findRow<Row extends { readonly method: string; readonly address: string }>(
  rows: readonly Row[],
  method: string,
  path: string,
): Match<Row> {
  const segments = path.split("/")
  const fitting = rows.filter(({ address }) => {
    const names = segmentsOf(address)
    return (
      names.length === segments.length &&
      names.every((name, at) => (isParam(name) ? segments[at] !== "" : name === segments[at]))
    )
  })
  const row = fitting.find((each) => each.method === method)
  if (row === undefined) {
    throw fitting.length === 0
      ? notFound()
      : methodNotAllowed([...new Set(fitting.map((each) => each.method))])
  }
  const longestId = path.startsWith("/giftcard/") ? limits.cardReference : limits.shortText
  const ids = [...segmentsOf(row.address).entries()]
    .filter(([, name]) => isParam(name))
    .map(([at, name]) => [name.slice(1, -1), decodeId(segments[at] ?? "", longestId)])
  return { row, params: Object.fromEntries(ids) }
}

const split = new Map<string, readonly string[]>()

/** Every request is compared with all addresses, which never change: each is split once. */
function segmentsOf(address: string): readonly string[] {
  const known = split.get(address)
  if (known !== undefined) return known
  const segments = address.split("/")
  split.set(address, segments)
  return segments
}

function isParam(segment: string): boolean {
  return segment.startsWith("{")
}

/** The id in one path segment. @throws AppError 400 when it is empty, too long, a step to another path, or not text */
function decodeId(segment: string, longest: number): string {
  let id = ""
  try {
    id = decodeURIComponent(segment)
  } catch {
    // Left empty: no text.
  }
  if (["", ".", ".."].includes(id) || id.length > longest || /\p{Cc}/u.test(id)) throw unreadableId()
  return id
}

function unreadableId(): AppError {
  return badRequest("The address names a record in a way that no record can have. Open it from its list.")
}

export function operationById(id: string): Operation {
  const found = policy.find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`No operation is called ${id}.`)
  return found
}

/** An id as one segment; undefined for one that a server would read as a step to another path. */
export function encodeId(id: string): string | undefined {
  const unfit = id === "" || id === "." || id === ".." || !id.isWellFormed()
  return unfit ? undefined : encodeURIComponent(id)
}

/** Fills a path template, so that no id reaches another path. @throws AppError 400 for an id that a path cannot hold */
export function fillPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const segment = encodeId(params[name] ?? "")
    if (segment === undefined) throw unreadableId()
    return segment
  })
}

/** Fills a tag template; tags are only compared, so nothing is encoded. */
export function fillTag(template: string, params: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "")
}
