import type { DeskMeta } from "../../contract/response.ts"
import type { Api } from "../../contract/status.ts"
import { limits } from "../../contract/limits.ts"
import { fillPath, fillTag, operationById } from "../match.ts"
import type { ReadOperation } from "../operation.ts"
import { canonicalQuery } from "../query.ts"

/** One read of one thing: what is sent, under which key it is kept, and which writes make it old. */
export interface ReadPlan {
  readonly operation: ReadOperation
  readonly path: string
  readonly query: URLSearchParams
  readonly key: string
  readonly tags: readonly string[]
  /** Where a list stands by what was asked, for lists whose answers do not say. */
  readonly asked: DeskMeta | undefined
}

/**
 * Plans a read.
 * @throws DeskFailure 400 for an id that a path cannot hold
 */
export function planRead(
  operation: ReadOperation,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>> = {},
): ReadPlan {
  const path = fillPath(operation.path, params)
  const sent = canonicalQuery(query)
  return {
    operation,
    path,
    query: sent,
    key: keyOf(operation.api, path, sent.toString()),
    tags: (operation.tags ?? []).map((tag) => fillTag(tag, params)),
    asked: operation.shape === "page" || operation.shape === "open-page" ? askedMeta(sent) : undefined,
  }
}

/** The name under which an answer is kept. */
export function keyOf(api: Api, path: string, query: string): string {
  return `${api} ${path}?${query}`
}

/** Plans a read of an operation by its document's name. */
export function planById(
  id: string,
  params: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, unknown>>,
): ReadPlan {
  const operation = operationById(id)
  if (operation.kind !== "read") throw new Error(`${id} is not a read.`)
  return planRead(operation, params, query)
}

function askedMeta(query: URLSearchParams): DeskMeta {
  return {
    page: Number(query.get("page") ?? 1),
    per_page: Number(query.get("per_page") ?? limits.perPage.default),
  }
}
