import type { ErasedMember } from "../../contract/members.ts"
import type { CoreContext } from "../context.ts"
import type { LocalCopy } from "../copy/local-copy.ts"
import { stored } from "../errors.ts"
import { type ApiRequest, type ApiResponse, success } from "../http.ts"
import { forgetAddresses } from "../orders/order-addresses.ts"

/**
 * `POST /api/members/{id}/erase`: empties what Laurel keeps of a member besides its own history: the copied record and
 * ledger, the name, cached responses of every instance, and addresses that no open order needs. The service is not
 * changed; a member who still exists there comes back with the next pass. May be repeated. @throws AppError 503
 */
export async function eraseMember(
  context: CoreContext,
  request: ApiRequest,
  { id = "" }: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const { audit, events, sync } = context
  const erased = await stored(eraseCopy(sync, id))
  await stored(forgetCached(context, id))
  await stored(forgetAddresses(context, request.user, id))
  // Not the event of a single member: that one would be read again.
  events.publish({ topic: "members", id, erased: true })
  const on = { kind: "member", id, label: null } as const
  const note = `${erased.record ? "The copied record" : "No copied record"} and ${erased.entries} ledger entries.`
  await audit.recordDone(request, { action: "member.erase", on, note })
  return success(erased)
}

/** Drops what this instance's memory has of a member. */
export async function forgetCached(
  { names, reads, versions }: Pick<CoreContext, "names" | "reads" | "versions">,
  id: string,
): Promise<void> {
  reads.invalidate({ evict: [`member:${id}`, "members", "members:search"], stale: [] })
  // After the cache, which leaves them the records that it drops.
  versions.forget(id)
  await names.forget(id)
}

async function eraseCopy(sync: LocalCopy | undefined, id: string): Promise<ErasedMember> {
  if (sync === undefined) return { record: false, entries: 0 }
  // Records of earlier responses would bring the member back.
  await sync.settled()
  const { copy } = sync
  const [found, { total }] = await Promise.all([
    copy.members.get([id]),
    copy.ledgers.list({
      memberId: id,
      sort: { field: "created_at", descending: true },
      page: 1,
      perPage: 1,
    }),
  ])
  await copy.members.drop([id], (await copy.now()) + 1)
  return { record: found.length > 0, entries: total }
}
