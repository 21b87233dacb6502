import type { HoldDecision, SyncStatus } from "../../contract/copy.ts"
import { type Reward, rewardListReader } from "../../contract/program/reward.ts"
import { planById } from "../gateway/upstream-read.ts"
import type { Hold } from "./copy-store.ts"
import { heldRestMs, ListSweep } from "./list-sweep.ts"
import type { KindSync, LoopDeps, SyncLoop } from "./sync-loop.ts"

/** All pages so often, and sooner after a redemption, ms. */
const passEveryMs = 300_000
const passAgainMs = 10_000

const one = "GET /rewards/{reward_id}"

/** Keeps the copy of the rewards current. */
export class RewardSync implements KindSync {
  readonly #loop: SyncLoop
  readonly #sweep: ListSweep<Reward>
  readonly #unsubscribe: () => void

  constructor(deps: LoopDeps, loop: SyncLoop) {
    this.#loop = loop
    this.#sweep = new ListSweep(deps, loop, {
      name: "rewards",
      copy: deps.copy.rewards,
      list: "GET /rewards",
      one,
      planOf: (id) => planById(one, { reward_id: id }),
      reader: rewardListReader,
    })
    this.#unsubscribe = deps.events.subscribe(({ topic, id }) => {
      // Orders were made: pieces are left that no response names.
      if (topic === "orders" && id === "all") this.passNow()
    })
  }

  read(...response: Parameters<ListSweep<Reward>["read"]>): void {
    this.#sweep.read(...response)
  }

  passNow(): void {
    this.#sweep.passNow()
  }

  get isSweeping(): boolean {
    return this.#sweep.isSweeping
  }

  status(): Promise<SyncStatus> {
    return this.#sweep.status()
  }

  decide(decision: HoldDecision): Promise<Hold | undefined> {
    return this.#sweep.decide(decision)
  }

  stop(): void {
    this.#unsubscribe()
  }

  restart(): void {
    this.#sweep.abandon()
  }

  async step(signal: AbortSignal): Promise<number> {
    const { copy } = this.#loop
    const progress = await copy.rewards.progress()
    if (progress.held !== null) return heldRestMs
    if (!this.#sweep.isUnderWay) {
      const now = await copy.now()
      const everyMs = this.#sweep.isDue ? passAgainMs : passEveryMs
      const inMs = progress.complete ? (progress.sweptFrom ?? -Infinity) + everyMs - now : 0
      if (inMs > 0) return inMs
      this.#sweep.start(now)
    }
    await this.#sweep.step(progress, signal)
    return 0
  }
}
