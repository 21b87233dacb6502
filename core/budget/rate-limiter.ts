import type { Api } from "../../contract/response.ts"
import { reasonOf } from "../runtime.ts"
import type { BudgetStore, Choice, Clock, Lane, WindowUse } from "../ports.ts"
import { alwaysFree, sharesOf } from "./fair-share.ts"

export interface PermitRequest {
  readonly lane: Lane
  /** Id of the person or job; turns are taken between these. */
  readonly who: string
  /** Monotonic ms. */
  readonly deadline: number
  readonly signal?: AbortSignal | undefined
  /** Called when no permit is free immediately. */
  readonly onWait?: (() => void) | undefined
  /** Whether its readers see something meanwhile: people who see nothing yet go first. It may change while it waits. */
  readonly isUpdate?: (() => boolean) | undefined
}

const isUpdate = (request: PermitRequest) => request.isUpdate?.() === true

/** No permit was free before the deadline, or the wait ended because Laurel stops. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent"
}

interface Waiter extends PermitRequest {
  readonly isWaiting: () => boolean
  readonly grant: () => void
  readonly refuse: (reason: unknown) => void
}

/** Counted over a second more than a minute, so that travel time never puts 61 into one of the service's minutes. */
export const windowMs = 61_000

interface Dependencies {
  readonly api: Api
  readonly limit: number
  readonly store: BudgetStore
  readonly clock: Clock
  /** Until when background work leaves room for people, monotonic ms. */
  readonly peopleUntil: () => number
  readonly onChange: () => void
}

/** Lets requests to one service through at its rate, people first; instances share it by sharing the store. */
export class RateLimiter {
  readonly #deps: Dependencies
  /** In the order in which they take turns. */
  readonly #queues: Record<Lane, Waiter[]> = { people: [], jobs: [], sync: [] }
  readonly #stopped = new AbortController()
  /** When the next request of a waiting person may go, monotonic ms. */
  readonly #nextAt = new Map<string, number>()
  #isRunning = false
  /** Laurel stops: people no longer wait. */
  #isEnding = false
  #sleep: AbortController | undefined
  /** A refusal computed before a request arrived does not hold for it. */
  #arrivals = 0

  constructor(deps: Dependencies) {
    this.#deps = deps
  }

  /** Resolves with how long it waited, ms. @throws BudgetSpent at the deadline, the signal's reason, the store's */
  async acquire(request: PermitRequest): Promise<number> {
    request.signal?.throwIfAborted()
    if (this.#stopped.signal.aborted) throw new BudgetSpent()
    const { clock } = this.#deps
    const started = clock.monotonic()
    const { people, jobs } = this.#queues
    // A request of the local copy never holds up another one.
    const ahead = request.lane === "sync" ? this.#first() : (people[0] ?? jobs[0])
    if (ahead === undefined && (await this.#takeNow(request))) {
      this.#changed(request)
      return 0
    }
    if (this.#isEnding && request.lane === "people") throw new BudgetSpent()
    request.onWait?.()
    await this.#wait(request)
    return clock.monotonic() - started
  }

  /** Permits of the local copy are not announced: they come every second. */
  #changed({ lane }: PermitRequest): void {
    if (lane !== "sync") this.#deps.onChange()
  }

  /** Requests of people who wait: not updates of what they see. */
  waiting(): number {
    return this.#queues.people.filter((one) => !isUpdate(one)).length
  }

  /** A waiting request is no longer an update, or has become one: what it may have is decided again. */
  reconsider(): void {
    this.#arrivals += 1
    this.#sleep?.abort()
  }

  /** ms until the next request that a person waits for may go, as last computed; 0 when they wait for none. */
  nextIn(who: string): number {
    if (!this.#queues.people.some((waiter) => waiter.who === who && !isUpdate(waiter))) return 0
    return Math.max(0, (this.#nextAt.get(who) ?? 0) - this.#deps.clock.monotonic())
  }

  /** Refuses all waiting requests. From then on people get a free permit or none: what is half done may still end. */
  endWaits(): void {
    this.#isEnding = true
    for (const waiter of Object.values(this.#queues).flat()) {
      this.#remove(waiter)
      waiter.refuse(new BudgetSpent())
    }
  }

  stop(): void {
    this.#stopped.abort()
    this.endWaits()
  }

  async #takeNow(request: PermitRequest): Promise<boolean> {
    const { lane, who } = request
    const { api, limit, store } = this.#deps
    const choose = (use: WindowUse): Choice => {
      const shares = this.#shares(use)
      const peopleForMs = this.#peopleForMs()
      const inMs =
        lane === "people"
          ? this.#personIn(shares, request)
          : lane === "jobs"
            ? shares.job(peopleForMs)
            : shares.sync(peopleForMs).inMs
      return inMs > 0 ? { inMs } : { taker: { lane, who } }
    }
    const atOnce = lane === "people" ? { taker: { lane, who }, leastFree: alwaysFree(limit) } : undefined
    return (await store.take(api, limit, windowMs, choose, atOnce)).granted
  }

  #wait(request: PermitRequest): Promise<void> {
    const { clock } = this.#deps
    return new Promise((resolve, reject) => {
      const over = new AbortController()
      const end = (finish: () => void) => {
        over.abort()
        request.signal?.removeEventListener("abort", abort)
        this.#changed(request)
        finish()
      }
      const leave = (reason: unknown) => {
        this.#remove(waiter)
        end(() => reject(reason))
      }
      const abort = () => leave(request.signal === undefined ? undefined : reasonOf(request.signal))
      const waiter: Waiter = {
        ...request,
        isWaiting: () => !over.signal.aborted,
        grant: () => end(resolve),
        refuse: (reason) => end(() => reject(reason)),
      }
      this.#queues[request.lane].push(waiter)
      request.signal?.addEventListener("abort", abort, { once: true })
      clock
        .sleep(Math.max(0, request.deadline - clock.monotonic()), over.signal)
        .then(() => leave(new BudgetSpent()))
        .catch(() => undefined)
      this.#changed(request)
      this.reconsider()
      void this.#run()
    })
  }

  /** Takes permits until no request waits. */
  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    const { api, limit, store } = this.#deps
    while (this.#first() !== undefined && !this.#stopped.signal.aborted) {
      const arrivals = this.#arrivals
      let next: Waiter | undefined
      try {
        const grant = await store.take(api, limit, windowMs, (use) => {
          const choice = this.#choose(use)
          if ("inMs" in choice) return choice
          next = choice
          return { taker: choice }
        })
        if (grant.granted) this.#serve(next)
        else if (arrivals === this.#arrivals) await this.#sleepFor(grant.inMs)
      } catch (error) {
        const failed = next ?? this.#first()
        if (failed === undefined) continue
        this.#remove(failed)
        failed.refuse(error)
      }
    }
    this.#isRunning = false
  }

  /**
   * A job that is due, then people in turn, those who see nothing yet first, then jobs, then sync; each as far as their
   * share allows.
   */
  #choose(use: WindowUse): Waiter | { readonly inMs: number } {
    const [job] = this.#queues.jobs
    const [sync] = this.#queues.sync
    const shares = this.#shares(use)
    if (job !== undefined && shares.jobIsDue) return job
    const now = this.#deps.clock.monotonic()
    const firstFreeIn = use.recentUse[0]?.freeInMs ?? windowMs
    let next: Waiter | undefined
    let againIn = Infinity
    this.#nextAt.clear()
    for (const person of this.#people()) {
      if (this.#nextAt.has(person.who)) continue
      const inMs = this.#personIn(shares, person)
      this.#nextAt.set(person.who, now + (inMs < Infinity ? inMs : firstFreeIn))
      if (inMs <= 0) next ??= person
      againIn = Math.min(againIn, inMs)
    }
    if (next !== undefined) return next
    const jobInMs = job === undefined ? Infinity : shares.job(this.#peopleForMs())
    // Never while a person waits. A due one goes before jobs, which would take every permit.
    const { inMs: syncInMs, isDue } =
      sync === undefined || this.#queues.people.length > 0
        ? { inMs: Infinity, isDue: false }
        : shares.sync(this.#peopleForMs())
    if (sync !== undefined && syncInMs <= 0 && (isDue || jobInMs > 0)) return sync
    return job !== undefined && jobInMs <= 0 ? job : { inMs: Math.min(againIn, jobInMs, syncInMs) }
  }

  /** The chosen one may have given up meanwhile: the permit goes to the next one. */
  #serve(chosen: Waiter | undefined): void {
    const next = chosen?.isWaiting() === true ? chosen : this.#first()
    if (next === undefined) return
    const rest = this.#queues[next.lane].filter((waiter) => waiter !== next)
    const own = rest.filter(({ who }) => who === next.who)
    this.#queues[next.lane] = [...rest.filter(({ who }) => who !== next.who), ...own]
    next.grant()
  }

  async #sleepFor(ms: number): Promise<void> {
    this.#sleep = new AbortController()
    const signal = AbortSignal.any([this.#sleep.signal, this.#stopped.signal])
    await this.#deps.clock.sleep(Math.max(ms, 1), signal).catch(() => undefined)
    this.#sleep = undefined
  }

  #shares(use: WindowUse) {
    return sharesOf(use, { limit: this.#deps.limit, windowMs })
  }

  #personIn(shares: ReturnType<typeof sharesOf>, person: PermitRequest): number {
    return isUpdate(person) ? shares.update(person.who) : shares.person(person.who)
  }

  #peopleForMs(): number {
    return this.#deps.peopleUntil() - this.#deps.clock.monotonic()
  }

  /** Who sees nothing yet first. */
  #people(): readonly Waiter[] {
    const { people } = this.#queues
    return [...people.filter((one) => !isUpdate(one)), ...people.filter(isUpdate)]
  }

  #first(): Waiter | undefined {
    return this.#people()[0] ?? this.#queues.jobs[0] ?? this.#queues.sync[0]
  }

  #remove(waiter: Waiter): void {
    this.#queues[waiter.lane] = this.#queues[waiter.lane].filter((one) => one !== waiter)
  }
}
