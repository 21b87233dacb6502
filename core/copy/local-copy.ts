import type { CopyStatus } from "../../contract/copy.ts"
import type { Member } from "../../contract/program/member.ts"
import type { CachedResponse } from "../cache/cache.ts"
import type { ReadPlan } from "../gateway/upstream-read.ts"
import type { CopyStore } from "./copy-store.ts"
import { MemberSync, type MemberSyncDeps } from "./member-sync.ts"
import { LedgerSync, type LedgerSyncDeps } from "./ledger-sync.ts"
import { OrderSync } from "./order-sync.ts"
import { RewardSync } from "./reward-sync.ts"
import { SyncLoop } from "./sync-loop.ts"

/** The local copy, and what keeps it current (docs/local-copy.md). */
export class LocalCopy {
  readonly copy: CopyStore
  readonly members: MemberSync
  readonly orders: OrderSync
  readonly rewards: RewardSync
  readonly ledgers: LedgerSync
  readonly #loop: SyncLoop

  constructor(deps: MemberSyncDeps & LedgerSyncDeps) {
    this.copy = deps.copy
    this.#loop = new SyncLoop(deps)
    this.members = new MemberSync(deps, this.#loop)
    this.orders = new OrderSync(deps, this.#loop)
    this.rewards = new RewardSync(deps, this.#loop)
    this.ledgers = new LedgerSync(deps, this.#loop)
  }

  /** Keeps the copy current from requests that are left over, until the signal aborts; one instance runs it. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(this.members, [this.orders, this.rewards, this.ledgers], signal)
  }

  stop(): void {
    this.#loop.stop()
    this.members.stop()
    this.orders.stop()
    this.rewards.stop()
  }

  /** A response to a read: what it holds is put into the copy. */
  read(
    plan: Pick<ReadPlan, "operation" | "params" | "query">,
    response: Pick<CachedResponse, "data" | "meta" | "requestedAt">,
  ): void {
    const { id } = plan.operation
    this.members.read(id, response)
    this.orders.read(id, response)
    this.rewards.read(id, response)
    this.ledgers.read(plan, response)
  }

  /** A member as of the start of the last pass, `ageMs` ago, or later; undefined: not in a complete copy. */
  async memberOfLastPass(
    id: string,
  ): Promise<{ readonly member: Member; readonly ageMs: number } | undefined> {
    await this.settled()
    const { members } = this.copy
    const [progress, [member], now] = await Promise.all([
      members.progress(),
      members.get([id]),
      this.copy.now(),
    ])
    const { complete, sweptFrom } = progress
    if (!complete || sweptFrom === null || member === undefined) return undefined
    return { member, ageMs: Math.max(0, now - sweptFrom) }
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
      rewards: await this.rewards.status(),
      ledgers: await this.ledgers.status(),
    }
  }
}
