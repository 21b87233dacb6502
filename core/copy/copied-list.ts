import type { CopyMeta } from "../../contract/copy.ts"
import { limits } from "../../contract/limits.ts"
import type { RedactedKind } from "../../contract/redaction.ts"
import type { CoreContext } from "../context.ts"
import { notConnected } from "../gateway/caller.ts"
import { renderRead } from "../gateway/reads.ts"
import { planRead } from "../gateway/upstream-read.ts"
import { type ApiRequest, type ApiResponse, readOptionsOf } from "../http.ts"
import { operationById } from "../match.ts"
import { queryOf, requirePermission } from "../policy.ts"
import { isoTimeOrNull } from "../runtime.ts"
import { canonicalQuery } from "../validation.ts"
import type { CopyStore } from "./copy-store.ts"
import type { LocalCopy } from "./local-copy.ts"

type CopiedKind = "members" | "orders" | "rewards"
interface Paging {
  readonly page?: number | undefined
  readonly per_page?: number | undefined
}

/** Begins to answer a list's request: a person is active, and may ask for newer data. @throws AppError 403 */
export function listRequested(
  { budget, sync }: CoreContext,
  request: ApiRequest,
  kind: CopiedKind,
  { per_page = 0 }: Paging,
): void {
  if (per_page > limits.perPage.max)
    requirePermission(request.user.role, "exports.people", "Nothing was read.")
  budget.personActive()
  if (readOptionsOf(request).fresh) sync?.[kind].passNow()
}

/** What a list says that comes from the service. */
export const noCopy: CopyMeta = { complete: false, synced_at: null, syncing: false, synced: null }

/** The copy, if every record of a kind is in it and it can be read, and what lists say about it. */
export async function copyState(
  context: CoreContext,
  kind: CopiedKind,
): Promise<{ copy?: CopyStore; meta: CopyMeta }> {
  const found = await fromCopy(context, async (sync) => {
    const { complete, syncedAt } = await sync.copy[kind].progress()
    const state = { complete, synced_at: isoTimeOrNull(syncedAt), syncing: sync[kind].isSweeping }
    if (complete) return { copy: sync.copy, meta: { ...state, synced: null } }
    const { live, total } = await sync[kind].status()
    return { meta: { ...state, synced: { live, total } } }
  })
  return found ?? { meta: noCopy }
}

/** What `read` finds in the copy; undefined without a copy, or if it cannot be read. */
export async function fromCopy<T>(
  { log, sync }: CoreContext,
  read: (sync: LocalCopy) => Promise<T>,
): Promise<T | undefined> {
  if (sync === undefined) return undefined
  try {
    await sync.settled()
    return await read(sync)
  } catch (error) {
    log.warn({ err: error }, "the local copy could not be read: the list comes from the service")
    return undefined
  }
}

/** A page of the copy. */
export function copiedPage(
  { clock }: CoreContext,
  request: ApiRequest,
  redacts: RedactedKind | undefined,
  { rows, total }: { readonly rows: readonly object[]; readonly total: number },
  { page = 1, per_page = limits.perPage.default }: Paging,
  state: CopyMeta,
): ApiResponse {
  const at = state.synced_at === null ? clock.now() : Date.parse(state.synced_at)
  const answeredAt = clock.monotonic() - Math.max(0, clock.now() - at)
  const meta = { page, per_page, total, ...state }
  const response = { data: rows, meta, at, answeredAt, requestedAt: answeredAt, tags: [], size: 0 }
  return renderList(clock, request, redacts, { response })
}

/** The service's own list, in one request with the documented parameters. @throws AppError */
export async function servicePage(
  { clock, config, reads }: CoreContext,
  request: ApiRequest,
  list: {
    readonly operation: string
    readonly params?: Readonly<Record<string, string>>
    readonly redacts?: RedactedKind
  },
  documented: Paging & Readonly<Record<string, unknown>>,
  state: CopyMeta,
): Promise<ApiResponse> {
  if (config.apis.program === null) throw notConnected("program")
  const operation = operationById(list.operation)
  if (operation.kind !== "read") throw new Error(`${list.operation} is not a read.`)
  const { per_page } = documented
  const size = per_page === undefined ? {} : { per_page: Math.min(per_page, limits.perPage.max) }
  const sent = canonicalQuery({ ...documented, ...size })
  const plan = planRead(operation, list.params ?? {}, queryOf(operation, request.user.role, sent.toString()))
  const { response, ...stale } = await reads.read(plan, readOptionsOf(request))
  const meta = { ...response.meta, ...state }
  return renderList(clock, request, list.redacts, { response: { ...response, meta }, ...stale })
}

/** A list as the role of the request sees it. */
export function renderList(
  clock: CoreContext["clock"],
  { header, user }: ApiRequest,
  redacts: RedactedKind | undefined,
  result: Parameters<typeof renderRead>[0],
): ApiResponse {
  const reader = { role: user.role, ifNoneMatch: header("if-none-match"), now: clock.monotonic() }
  return renderRead(result, redacts, reader)
}
