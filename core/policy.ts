import * as z from "zod/mini"
import type { AuditAction } from "../contract/audit.ts"
import { cardLookupQuery, cardReader } from "../contract/giftcard/card.ts"
import { storable } from "../contract/program/common.ts"
import { leaderboardReader, rankingsQuery } from "../contract/program/leaderboard.ts"
import {
  memberListQuery,
  memberListReader,
  memberReader,
  updateMemberBody,
} from "../contract/program/member.ts"
import { orderListQuery, orderListReader, orderReader } from "../contract/program/order.ts"
import { balanceReader, transactionListQuery, transactionListReader } from "../contract/program/points.ts"
import { rewardListQuery, rewardListReader, rewardReader } from "../contract/program/reward.ts"
import { jobKindDescriptors, jobKinds, type JobKind } from "../contract/job-kinds.ts"
import type { Reader } from "../contract/reading.ts"
import type { RedactedKind } from "../contract/redaction.ts"
import { can, type Permission, type Role, roleNames, roleNeeded } from "../contract/roles.ts"
import type { CacheSettings } from "../contract/settings.ts"
import type { Api } from "../contract/response.ts"
import { forbidden } from "./errors.ts"
import { noQuery, readQuery } from "./validation.ts"

const oneMember = ["member:{member_id}"]
const members = ["members"]

/** Body of `DELETE /api/program/members/{id}`: the member's e-mail, typed by the person who deletes; no form is asked. */
export const deleteMemberBody = z.strictObject({
  email: z
    .string()
    .check(z.trim(), z.minLength(1, "Enter the member’s e-mail."), z.maxLength(1000), storable),
})

/** Every request of a browser that may reach a service. Writes that name a job kind are sent by that kind's rules only. */
export const policy: readonly Operation[] = [
  // Members (docs/api/program.md, Members)
  read("GET /members", "members.read", "page", memberListReader, {
    query: memberListQuery,
    narrow: { needs: "members.search", keeps: ["page", "per_page"] },
    cache: "members",
    tags: members,
    seeds: { operation: "GET /members/{member_id}", id: "id" },
    redacts: "member",
  }),
  read("GET /members/{member_id}", "members.read", "record", memberReader, {
    cache: "members",
    tags: oneMember,
    redacts: "member",
    identifiedBy: ["id"],
  }),
  {
    ...common("PATCH /members/{member_id}", "members.edit"),
    kind: "write",
    act: "member-update",
    body: updateMemberBody,
    audit: "member.update",
    identifiedBy: ["id"],
    invalidates: { evict: [...oneMember, "members:search"], stale: members },
  },
  {
    ...common("DELETE /members/{member_id}", "members.delete"),
    kind: "write",
    act: "member-delete",
    body: deleteMemberBody,
    audit: "member.delete",
    invalidates: { evict: [...oneMember, ...members], stale: [] },
  },
  read("GET /members/{member_id}/balance", "ledger.read", "record", balanceReader, {
    cache: "members",
    tags: oneMember,
    identifiedBy: ["member_id"],
  }),
  read("GET /members/{member_id}/transactions", "ledger.read", "page", transactionListReader, {
    query: transactionListQuery,
    cache: "members",
    tags: oneMember,
    identifiedBy: ["member_id"],
  }),

  // Rewards
  read("GET /rewards", "rewards.read", "page", rewardListReader, {
    query: rewardListQuery,
    cache: "rewards",
    tags: ["rewards"],
    seeds: { operation: "GET /rewards/{reward_id}", id: "id" },
  }),
  read("GET /rewards/{reward_id}", "rewards.read", "record", rewardReader, {
    cache: "rewards",
    tags: ["rewards"],
    identifiedBy: ["id"],
  }),

  // Orders
  read("GET /orders", "orders.read", "open-page", orderListReader, {
    query: orderListQuery,
    cache: "orders",
    tags: ["orders"],
    narrowedBy: ["member_id"],
    // Seeds nothing: list rows lack `fulfillment` and are no complete orders (docs/api/program.md, Order).
    redacts: "order",
  }),
  read("GET /orders/{order_id}", "orders.read", "record", orderReader, {
    cache: "orders",
    tags: ["orders"],
    redacts: "order",
    identifiedBy: ["order_id"],
  }),

  // Leaderboards
  read("GET /leaderboards", "leaderboards.read", "list", leaderboardReader, { cache: "leaderboards" }),
  read("GET /leaderboards/{leaderboard_id}/rankings", "leaderboards.read", "list", leaderboardReader, {
    query: rankingsQuery,
    cache: "leaderboards",
  }),

  // Gift cards (docs/api/giftcard.md)
  read("GET /giftcard/cards/{id}", "cards.read", "record", cardReader, {
    query: cardLookupQuery,
    identifiedBy: ["id", "externalRef"],
  }),

  // Writes that only jobs send, by kind of job (contract/kinds)
  ...jobKinds.flatMap((kind) => jobKindDescriptors[kind].operations.map((id) => throughJob(id, kind))),
]

/** What every documented operation has. */
interface Common {
  /** Method and path as the document writes them, such as `GET /members/{member_id}`. */
  readonly id: string
  readonly api: Api
  readonly method: Method
  /** The service's own. */
  readonly path: string
  /** Below `/api`: the gift-card service's paths begin with its name, the program service's do not. */
  readonly address: string
  readonly permission: Permission
  /** Fields of which one repeats the id of the path, in each row of a list: a response without it is not believed. */
  readonly identifiedBy?: readonly string[]
}

/** A documented read: a `page` has `meta`, an `open-page` has none, a `list` comes whole (docs/api/program.md, Envelope). */
export interface ReadOperation extends Common {
  readonly kind: "read"
  readonly method: "GET"
  readonly shape: "record" | "page" | "open-page" | "list"
  readonly reader: Reader<unknown>
  /** Parameters the address may carry. */
  readonly query?: z.ZodMiniType<Readonly<Record<string, unknown>>>
  /** Roles without `needs` may send only `keeps`. */
  readonly narrow?: { readonly needs: Permission; readonly keeps: readonly string[] }
  /** Which of the cache times holds; without one every read asks the service. */
  readonly cache?: keyof CacheSettings
  /** What the response is about, `{names}` filled from the path: a write of it makes it stale. */
  readonly tags?: readonly string[]
  /** A list's rows are cached as responses of this operation, too, where they are complete records; `id` names them. */
  readonly seeds?: { readonly operation: string; readonly id: string }
  readonly redacts?: RedactedKind
  /** Parameters that name a record: a row with another value in this field makes the response unusable. */
  readonly narrowedBy?: readonly string[]
}

/** A documented write that is sent immediately. */
export interface WriteOperation extends Common {
  readonly kind: "write"
  /** Which careful sequence of core/members carries it out. */
  readonly act: "member-update" | "member-delete"
  readonly body: z.ZodMiniType
  readonly audit: AuditAction
  /** After success, responses tagged `evict` are dropped and those tagged `stale` are marked stale. */
  readonly invalidates: { readonly evict: readonly string[]; readonly stale: readonly string[] }
}

/** A documented write that goes through a job only. */
interface JobOperation extends Common {
  readonly kind: "job"
  readonly job: JobKind
}

/** One row of the policy table. */
export type Operation = ReadOperation | WriteOperation | JobOperation

const aboutPeople: ReadonlySet<Permission> = new Set([
  "members.read",
  "ledger.read",
  "orders.read",
  "cards.read",
])

/** Whether the response of an operation carries data of people: the shell logs who read it. */
export function isPersonal({ id, permission }: Common): boolean {
  return aboutPeople.has(permission) || id.endsWith("/rankings")
}

function read(
  id: OperationId,
  permission: Permission,
  shape: ReadOperation["shape"],
  reader: Reader<unknown>,
  rules: Pick<
    ReadOperation,
    "query" | "narrow" | "narrowedBy" | "identifiedBy" | "cache" | "tags" | "seeds" | "redacts"
  >,
): ReadOperation {
  return { ...rules, ...common(id, permission), kind: "read", method: "GET", shape, reader }
}

function throughJob(id: OperationId, job: JobKind): JobOperation {
  return { ...common(id, jobKindDescriptors[job].permission), kind: "job", job }
}

type Method = "GET" | "POST" | "PATCH" | "DELETE"
type OperationId = `${Method} /${string}`

function common(id: OperationId, permission: Permission): Common {
  const methods = ["GET", "POST", "PATCH", "DELETE"] as const
  const method = methods.find((each) => id.startsWith(each)) ?? "GET"
  const path = id.slice(method.length + 1)
  const api = path.startsWith("/giftcard/") ? "giftcard" : "program"
  return { id, api, method, path, address: api === "program" ? `/program${path}` : path, permission }
}

/** `consequence` is what did not happen. @throws AppError 403 when the role lacks the permission */
export function requirePermission(
  role: Role,
  permission: Permission,
  consequence = "Nothing was done.",
): void {
  if (can(role, permission)) return
  throw forbidden(`This requires the ${roleNames[roleNeeded(permission, role)]} role. ${consequence}`)
}

/** The parameters of a read, as far as the role may send them. @throws AppError 400, 403 */
export function queryOf(
  { query, narrow }: ReadOperation,
  role: Role,
  search: string,
): Readonly<Record<string, unknown>> {
  if (query === undefined) {
    noQuery(search)
    return {}
  }
  if (narrow !== undefined && !can(role, narrow.needs)) {
    const beyond = [...new URLSearchParams(search).keys()].find((name) => !narrow.keeps.includes(name))
    if (beyond !== undefined) {
      const needed = roleNames[roleNeeded(narrow.needs, role)]
      throw forbidden(
        `Your role sees the unfiltered list: filtering by ${beyond} requires the ${needed} role. Nothing was read.`,
      )
    }
  }
  return readQuery(search, query)
}
