import type { HoldDecision, SyncStatus } from "../../contract/copy.ts"
import { type Reward, rewardListReader } from "../../contract/program/reward.ts"
import { planById } from "../gateway/upstream-read.ts"
import type { Hold } from "./copy-store.ts"
import { ListSweep } from "./list-sweep.ts"
import type { KindSync, LoopDeps, SyncLoop } from "./sync-loop.ts"

/** All pages so often, and sooner after a redemption, ms. */
const passEveryMs = 300_000
const passAgainMs = 10_000
/** While a person has to decide, ms. */
const heldRestMs = 10_000

const one = "GET /rewards/{reward_id}"

/** Keeps the copy of the rewards current. */
export class RewardSync implements KindSync {
  readonly #loop: SyncLoop
  readonly #sweep: ListSweep<Reward>
  readonly #unsubscribe: () => void
  #passDue = false

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

  /** Newer data than the last pass has are wanted. */
  passNow(): void {
    this.#passDue = true
    this.#loop.wake()
  }

  /** Whether a pass is under way, or due; known to the instance that runs it only. */
  get isSweeping(): boolean {
    return this.#loop.isRunning && (this.#passDue || this.#sweep.isUnderWay)
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
      const everyMs = this.#passDue ? passAgainMs : passEveryMs
      const inMs = progress.complete ? (progress.sweptFrom ?? -Infinity) + everyMs - now : 0
      if (inMs > 0) return inMs
      this.#passDue = false
      this.#sweep.start(now)
    }
    await this.#sweep.step(progress, signal)
    return 0
  }
}
