import * as z from "zod/mini"
import { type CreateJobBody, job as jobSchema } from "../../contract/job.ts"
import type { ApiResponse } from "../../core/http.ts"
import type { Process, World } from "./in-process.ts"

/** Consecutive apps on one store: after a kill, the next one takes over. */
export interface Succession {
  /** The running app. */
  now(): Process
  /** Creates a job, retrying with the same key after a kill; returns its id. */
  make(body: CreateJobBody, key: string): Promise<string>
  /** Waits until every job has ended and no lookup is due; resumes paused jobs. Throws if that never happens. */
  rest(): Promise<void>
}

/** Far longer than rows wait after a downtime of minutes. */
const longMs = 2_000_000
const answerMs = 5000
const made = z.object({ data: jobSchema })

/**
 * Kills each app at its step of `kills`; the last one survives. During `rest`, nothing runs for `away` ms after each
 * kill.
 */
export function createSuccession(
  world: World,
  kills: readonly number[],
  away: readonly number[] = [],
): Succession {
  const { jobs } = world.store
  let count = 0
  let process: Process | undefined

  function now(): Process {
    if (process?.life.alive !== true) {
      const kill = kills[count]
      process = world.start(kill === undefined ? {} : { kill })
      count += 1
    }
    return process
  }

  return {
    now,
    async make(body, key) {
      for (;;) {
        const app = now()
        let answer: ApiResponse | undefined
        void app
          .ask("POST /jobs", { body, headers: { "idempotency-key": key } })
          .then((given) => (answer = given))
        await world.passUntil(answerMs, async () =>
          answer === undefined && app.life.alive ? undefined : true,
        )
        if (answer === undefined) continue
        if (answer.status !== 201)
          throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
        return made.parse(answer.body).data.id
      }
    },
    async rest() {
      for (;;) {
        const running = now()
        const end = await world.passUntil(longMs, async () => {
          if (!running.life.alive) return "killed"
          const all = await jobs.list({ perPage: 100 })
          const open = await Promise.all(
            all.map(async (job) => {
              if (job.state === "paused") void running.ask(`POST /jobs/${job.id}/resume`, { body: {} })
              const over = job.state === "done" || job.state === "cancelled"
              return !over || job.counts.unknown > 0 || (await jobs.nextDue(job.id)) !== null
            }),
          )
          return open.includes(true) ? undefined : "at rest"
        })
        if (end === "at rest") return
        if (end === undefined)
          throw new Error(`It never came to rest: ${JSON.stringify(await world.counted())}`)
        await world.clock.advance(away[count - 1] ?? 0)
      }
    },
  }
}
