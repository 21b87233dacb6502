/** Work that is due at a time by our clock, ms. */
interface Due {
  readonly at: number
  readonly run: (at: number) => Promise<void> | void
}

/**
 * Work put off: late commits and approvals. Nothing runs by a timer; what is due is done before the next request,
 * dated with the time it was due at.
 */
export class Later {
  private list: Due[] = []
  private running: Promise<void> = Promise.resolve()

  add(at: number, run: Due["run"]): void {
    this.list.push({ at, run })
  }

  /** Does everything due by a time, in order. */
  settle(now: number): Promise<void> {
    if (this.list.length === 0) return this.running
    this.running = this.running.then(() => this.work(now))
    return this.running
  }

  /** How much is still to come. */
  get size(): number {
    return this.list.length
  }

  clear(): void {
    this.list = []
  }

  private async work(now: number): Promise<void> {
    const due = this.list.filter((item) => item.at <= now).toSorted((a, b) => a.at - b.at)
    this.list = this.list.filter((item) => item.at > now)
    for (const item of due) await item.run(item.at)
  }
}
