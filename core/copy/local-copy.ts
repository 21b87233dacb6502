import type { CopyStatus } from "../../contract/copy.ts"
import type { CachedResponse } from "../cache/cache.ts"
import type { ReadPlan } from "../gateway/upstream-read.ts"
import type { CopyStore } from "./copy-store.ts"
import { MemberSync, type MemberSyncDeps } from "./member-sync.ts"
import { OrderSync } from "./order-sync.ts"
import { SyncLoop } from "./sync-loop.ts"

/** The local copy, and what keeps it current (docs/local-copy.md). */
export class LocalCopy {
  readonly copy: CopyStore
  readonly members: MemberSync
  readonly orders: OrderSync
  readonly #loop: SyncLoop

  constructor(deps: MemberSyncDeps) {
    this.copy = deps.copy
    this.#loop = new SyncLoop(deps)
    this.members = new MemberSync(deps, this.#loop)
    this.orders = new OrderSync(deps, this.#loop)
  }

  /** Keeps the copy current from requests that are left over, until the signal aborts; one instance runs it. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(this.members, [this.orders], signal)
  }

  stop(): void {
    this.#loop.stop()
    this.members.stop()
    this.orders.stop()
  }

  /** A response to a read: what it holds is put into the copy. */
  read(
    { operation }: Pick<ReadPlan, "operation">,
    response: Pick<CachedResponse, "data" | "requestedAt">,
  ): void {
    this.members.read(operation.id, response)
    this.orders.read(operation.id, response)
  }

  /** Resolves once the records of earlier responses are in the copy. */
  settled(): Promise<void> {
    return this.#loop.settled()
  }

  async status(): Promise<CopyStatus> {
    return {
      mode: this.copy.kind,
      members: await this.members.status(),
      orders: await this.orders.status(),
    }
  }
}
