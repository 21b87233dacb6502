import * as z from "zod/mini"
import { type CreateJobBody, job as jobSchema } from "../../contract/job.ts"
import type { ApiResponse } from "../../core/http.ts"
import type { Process, World } from "./in-process.ts"

/** One process after another on the same store: when one was killed, the next goes on. */
export interface Succession {
  /** The process that runs now. */
  now(): Process
  /** Makes a job, asking with the same key again when a process was killed over it; gives its id. */
  make(body: CreateJobBody, key: string): Promise<string>
  /**
   * Waits until every job is at an end and nothing is to be read again; what stands still is resumed.
   * Throws when that never comes.
   */
  rest(): Promise<void>
}

/** Far longer than an absence of some minutes makes rows wait. */
const longMs = 2_000_000
const answerMs = 5000
const made = z.object({ data: jobSchema })

/**
 * Starts one; each process is killed at its step of `kills`, the one after the last lives. While the jobs are waited for,
 * nothing runs for so many ms of `away` after each kill.
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
        const asked = now()
        let answer: ApiResponse | undefined
        void asked.ask("POST /jobs", body, { "idempotency-key": key }).then((given) => (answer = given))
        await world.passUntil(answerMs, async () =>
          answer === undefined && asked.life.alive ? undefined : true,
        )
        if (answer === undefined) continue
        if (answer.status !== 201)
          throw new Error(`TestResponse ${answer.status}: ${JSON.stringify(answer.body)}`)
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
              if (job.state === "paused") void running.ask(`POST /jobs/${job.id}/resume`, {})
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
