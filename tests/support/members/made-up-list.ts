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

/** A list response with its meta. */
export function listAnswer(rows: readonly Member[], total: number, headers: HeadersInit = {}): Response {
  return Response.json({ success: true, data: rows, meta: { page: 1, per_page: 25, total } }, { headers })
}

/** A server that pages, filters and redacts these members. */
export function membersServer(members: readonly Member[], role: Role = "manager"): Handlers {
  return {
    "GET /api/session": () => sessionOf(role),
    "GET /api/status/budget": () => [],
    "GET /api/settings/points": () => ({ batch_code: true }),
    "GET /api/program/members": ({ query }) => {
      const page = Number(query.get("page") ?? 1)
      const perPage = Number(query.get("per_page") ?? 25)
      const search = query.get("search") ?? ""
      const matches = members.filter(
        (member) =>
          [member.first_name, member.last_name, member.email].join(" ").includes(search) &&
          (query.get("status") ?? member.status) === member.status &&
          (query.get("tier") ?? member.tier) === member.tier,
      )
      const rows = matches.slice((page - 1) * perPage, page * perPage)
      return listAnswer(
        rows.map((member) => redact("member", role, member)),
        matches.length,
      )
    },
  }
}

/** The requests for the member list. */
export function listReads(requests: readonly string[]): string[] {
  return requests.filter((line) => /^GET \/api\/program\/members(\?|$)/.test(line))
}
