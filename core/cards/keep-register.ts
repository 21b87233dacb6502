import type { DeskContext } from "../context.ts"
import { fillRegister } from "./fill-register.ts"

/** Keeps the register whole, whichever process ends when. */
export interface RegisterKeeper {
  /** Everything that rows issued and the register lacks. */
  fill(): Promise<void>
  stop(): void
}

/** Kinds of so many jobs are remembered. */
const mostKnown = 1000

/**
 * Makes the keeper. A row's own process enters its card; what was confirmed right before that process ended is entered
 * when another one brings the job to its end, and at every start.
 */
export function keepRegister(context: Pick<DeskContext, "events" | "log" | "store">): RegisterKeeper {
  const { events, log, store } = context
  const others = new Set<string>()

  async function jobMoved(id: string): Promise<void> {
    if (others.has(id)) return
    const job = await store.jobs.get(id)
    if (job === undefined) return
    if (job.kind === "giftcard") {
      if (job.state === "done" || job.state === "cancelled") await fillRegister(context, id)
      return
    }
    if (others.size >= mostKnown) others.clear()
    others.add(id)
  }

  const quietly = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, "the register of cards could not be filled yet"),
    )

  return {
    fill: () => quietly(fillRegister(context)),
    stop: events.subscribe((event) => {
      if (event.topic === "job") void quietly(jobMoved(event.id))
    }),
  }
}
