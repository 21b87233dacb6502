import type { Permission } from "../contract/roles.ts"
import type { Books } from "./books/books.ts"
import type { Budget } from "./budget/budget.ts"
import type { ApiResponse, ApiRequest } from "./http.ts"
import type { EngineContext } from "./jobs/engine-context.ts"
import type { Snapshots } from "./leaderboards/board-snapshots.ts"
import type { MemberVersions } from "./members/member-changes.ts"
import type { Names } from "./members/member-names.ts"
import type { OrderClaims } from "./orders/order-claims.ts"
import type { Recipients } from "./orders/recipients.ts"
import type { OrderUpdates } from "./orders/tracking-numbers.ts"
import type { KeyedLock } from "./runtime.ts"
import type { Monitor } from "./status/monitor.ts"

/** What handlers of requests work with; the functions of the job engine take it too. */
export interface CoreContext extends EngineContext {
  readonly books: Books
  readonly budget: Budget
  readonly claims: OrderClaims
  readonly monitor: Monitor
  readonly names: Names
  readonly orderUpdates: OrderUpdates
  readonly recipients: Recipients
  readonly snapshots: Snapshots
  /** One write at a time for each member or e-mail. */
  readonly locks: KeyedLock
  readonly versions: MemberVersions
}

/** Handles one of Laurel's own requests; `params` are the ids of its path, decoded. */
export type Handler = (
  context: CoreContext,
  request: ApiRequest,
  params: Readonly<Record<string, string>>,
) => Promise<ApiResponse>

export interface Route {
  readonly method: string
  readonly address: string
  /** null: any signed-in person. */
  readonly permission: Permission | null
  /** `people`: the shell logs who read it; `query`: it takes parameters. */
  readonly has: readonly ("people" | "query")[]
  readonly handle: Handler
}

export function route(
  id: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`,
  permission: Permission | null,
  has: Route["has"],
  handle: Handler,
): Route {
  const [method = "", address = ""] = id.split(" ")
  return { method, address, permission, has, handle }
}
