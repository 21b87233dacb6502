import { limits } from "../contract/limits.ts"
import { AppError } from "./errors.ts"
import { type Operation, policy } from "./policy.ts"

/** A request as the policy table knows it: its row and the decoded ids of its path. */
export interface Match {
  readonly operation: Operation
  readonly params: Readonly<Record<string, string>>
}

const patterns = policy.map((operation) => ({
  operation,
  // The program service is addressed below its own name, the gift-card service's paths begin with its name.
  path: operation.api === "program" ? `/program${operation.path}` : operation.path,
}))

/** The row for a method and an encoded path below `/api`, or the path's methods. @throws AppError 400 for unfit ids */
export function matchOperation(
  method: string,
  path: string,
): Match | { readonly allowed: readonly string[] } {
  const fitting = patterns.filter((pattern) => fitsPath(pattern.path, path))
  const found = fitting.find((pattern) => pattern.operation.method === method)
  if (found === undefined) return { allowed: [...new Set(fitting.map(({ operation }) => operation.method))] }
  const { operation } = found
  const longestId = operation.api === "giftcard" ? limits.cardReference : limits.shortText
  return { operation, params: pathParams(found.path, path, longestId) }
}

/** Whether an encoded path has the form of a template such as `/members/{member_id}`. */
export function fitsPath(template: string, path: string): boolean {
  const names = template.split("/")
  const segments = path.split("/")
  return (
    names.length === segments.length &&
    names.every((name, at) => (isParam(name) ? segments[at] !== "" : name === segments[at]))
  )
}

/** The decoded ids of a path that fits a template, by their names in it. @throws AppError 400 */
export function pathParams(
  template: string,
  path: string,
  longestId: number = limits.shortText,
): Record<string, string> {
  const segments = path.split("/")
  const params: Record<string, string> = {}
  for (const [at, name] of template.split("/").entries()) {
    if (isParam(name)) params[name.slice(1, -1)] = decodeId(segments[at] ?? "", longestId)
  }
  return params
}

function isParam(segment: string): boolean {
  return segment.startsWith("{")
}

/** The id in one path segment. @throws AppError 400 when it is empty, too long, a step to another path, or not text */
function decodeId(segment: string, longest: number): string {
  const id = decoded(segment)
  const step = id === "." || id === ".."
  if (id === "" || id.length > longest || step || hasControlCharacter(id)) throw unreadableId()
  return id
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true
  }
  return false
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw unreadableId()
  }
}

function unreadableId(): AppError {
  return new AppError({
    status: 400,
    code: "bad_request",
    message: "The address names a record in a way that no record can have. Open it from its list.",
  })
}

/** The row of an operation by its document's name. */
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

/**
 * Fills a path template, so that no id reaches another path. @throws AppError 400 for an id that a path cannot hold
 */
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
