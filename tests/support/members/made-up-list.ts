import type { MemberFacets } from "../../../contract/members.ts"
import type { Member } from "../../../contract/program/member.ts"
import { redact } from "../../../contract/redaction.ts"
import type { Role } from "../../../contract/roles.ts"
import { sessionOf, type Handlers } from "../test-app.tsx"

/** A member as the service returns it. */
export function madeUpMember(id: string, fields: Partial<Member> = {}): Member {
  return {
    id,
    email: `${id}@coastal.test`,
    first_name: "Member",
    last_name: id,
    company: "Coastal Climate Co",
    phone: "+61 7 5550 0182",
    points_balance: 100,
    tier: "Gold",
    status: "active",
    metadata: { dealer_code: "QLD-7" },
    created_at: "2025-01-01T00:00:00Z",
    updated_at: "2026-11-01T00:00:00Z",
    ...fields,
  }
}

/** `count` members, `m1` to `m…`. */
export function madeUpMembers(count: number): Member[] {
  return Array.from({ length: count }, (_, at) => madeUpMember(`m${at + 1}`, { points_balance: at + 1 }))
}

/** The `meta` of a list that comes from the complete local copy, and until it is complete. */
export const synced = {
  complete: true,
  synced_at: "2026-11-20T10:00:00.000Z",
  syncing: false,
  synced: null,
}
export const syncing = {
  complete: false,
  synced_at: null,
  syncing: true,
  synced: { live: 2300, total: 10_000 },
}

export const noFacets = {
  total: 0,
  statuses: [],
  tiers: [],
  companies: [],
  metadata_keys: [],
  field_values: [],
  points: { sum: 0, without: 0 },
} satisfies MemberFacets

/** A list response with its meta. */
export function listAnswer(
  rows: readonly Member[],
  total: number,
  headers: HeadersInit = {},
  state: object = synced,
): Response {
  const meta = { page: 1, per_page: 25, total, ...state }
  return Response.json({ success: true, data: rows, meta }, { headers })
}

/** A server that pages, sorts, filters and redacts these members; `state`: of its local copy. */
export function membersServer(
  members: readonly Member[],
  role: Role = "manager",
  state: object = synced,
): Handlers {
  const matching = (query: URLSearchParams) =>
    members.filter(
      (member) =>
        [member.first_name, member.last_name, member.email, member.company]
          .join(" ")
          .includes(query.get("search") ?? "") &&
        (["status", "tier", "company"] as const).every(
          (name) => (query.get(name) ?? member[name]) === member[name],
        ) &&
        (fieldOf(member, query) ?? null) === (query.get("value") ?? fieldOf(member, query) ?? null),
    )
  const fieldOf = ({ metadata }: Member, query: URLSearchParams) => {
    const value = metadata?.[query.get("field") ?? ""]
    return typeof value === "string" ? value : undefined
  }
  const counted = (values: readonly string[]) =>
    [...Map.groupBy(values, (value) => value)].map(([value, { length }]) => ({ value, count: length }))
  const facet = (rows: readonly Member[], name: "status" | "tier" | "company") =>
    counted(rows.map((member) => member[name] ?? ""))
  return {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/settings/points": () => ({ batch_code: true }),
    "GET /api/members": ({ query }) => {
      const page = Number(query.get("page") ?? 1)
      const perPage = Number(query.get("per_page") ?? 25)
      const matches = matching(query)
      if (state === synced && query.get("sort") === "-points_balance") matches.reverse()
      const rows = matches.slice((page - 1) * perPage, page * perPage)
      return listAnswer(
        rows.map((member) => redact("member", role, member)),
        matches.length,
        {},
        state,
      )
    },
    "GET /api/members/facets": ({ query }) => {
      const rows = matching(query)
      const data = {
        total: rows.length,
        statuses: facet(rows, "status"),
        tiers: facet(rows, "tier"),
        companies: facet(rows, "company"),
        metadata_keys: [...new Set(rows.flatMap(({ metadata }) => Object.keys(metadata ?? {})))],
        field_values: query.has("field") ? counted(rows.map((row) => fieldOf(row, query) ?? "")) : [],
        points: { sum: rows.reduce((sum, { points_balance }) => sum + (points_balance ?? 0), 0), without: 0 },
      }
      return Response.json({ success: true, data, meta: state })
    },
  }
}

/** The requests for the member list. */
export function listReads(requests: readonly string[]): string[] {
  return requests.filter((line) => /^GET \/api\/members(\?|$)/.test(line))
}
