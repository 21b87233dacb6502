import type { UpstreamCall } from "../../core/ports.ts"
import type { FakeEnd, FakeService } from "./fake-upstream.ts"
import { madeUpMember, page, record } from "./made-up-members.ts"

type Stored = ReturnType<typeof madeUpMember> & Record<string, unknown>

/** A failure of the next write, before or after it takes effect. */
interface WriteTrouble {
  readonly end: FakeEnd
  readonly carriedOut: boolean
}

/** A small program service with members, for tests of writes. */
export interface MemberService {
  readonly serve: FakeService
  readonly members: Map<string, Stored>
  /** Applies to the next write only. */
  trouble: WriteTrouble | undefined
  /** While set, the outcome of every read. */
  readTrouble: FakeEnd | undefined
  /** How an edit's metadata is applied; the API documentation does not say. */
  metadata: "replace" | "merge" | "ignore"
}

export function createMemberService(members: readonly Stored[]): MemberService {
  let edits = 0
  const service: MemberService = {
    members: new Map(members.map((member) => [member.id, member])),
    trouble: undefined,
    readTrouble: undefined,
    metadata: "replace",
    serve(call) {
      if (call.method === "GET") return service.readTrouble ?? readOf(call)
      const trouble = service.trouble
      service.trouble = undefined
      if (trouble !== undefined && !trouble.carriedOut) return trouble.end
      const end = writeOf(call)
      return trouble?.end ?? end
    },
  }

  function readOf(call: UpstreamCall): FakeEnd | undefined {
    if (call.path === "/members") {
      const search = call.query.get("search")?.toLowerCase() ?? ""
      const number = Number(call.query.get("page") ?? 1)
      const size = Number(call.query.get("per_page") ?? 25)
      const found = [...service.members.values()].filter(({ email }) => email.toLowerCase().includes(search))
      return page(found.slice((number - 1) * size, number * size), found.length, number, size)
    }
    const found = service.members.get(idOf(call))
    return found === undefined ? undefined : record(found)
  }

  function writeOf(call: UpstreamCall): FakeEnd | undefined {
    const body: Record<string, unknown> = { ...(call.body as object | undefined) }
    edits += 1
    const updated_at = new Date(Date.UTC(2026, 5, 1, 0, 0, edits)).toISOString()
    if (call.method === "POST") {
      const made = madeUpMember(`mem_new_${edits}`, { metadata: {}, ...body, points_balance: 0, updated_at })
      service.members.set(made.id, made)
      return record(made, 201)
    }
    const found = service.members.get(idOf(call))
    if (found === undefined) return undefined
    if (call.method === "DELETE") {
      service.members.delete(found.id)
      return { status: 204 }
    }
    const sent = body.metadata as object | undefined
    const joined = { replace: sent, merge: { ...found.metadata, ...sent }, ignore: found.metadata }
    const metadata = sent === undefined ? found.metadata : joined[service.metadata]
    const after = { ...found, ...body, metadata, updated_at } as Stored
    service.members.set(found.id, after)
    return record(after)
  }

  return service
}

function idOf(call: UpstreamCall): string {
  return decodeURIComponent(call.path.split("/")[2] ?? "")
}
