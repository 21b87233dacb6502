import { realClock } from "../../../core/runtime.ts"
import { createRandom } from "../random.ts"
import type { RunOptions } from "../scenarios.ts"
import { startPostgres } from "../../support/postgres.ts"
import { fileStore, postgresStore, type BackedUpStore } from "./backed-up-store.ts"
import { playRestore, type RestoreCase, type RestoreEnd } from "./play-restore.ts"
import { restoreKinds } from "./restore-kinds.ts"

/** Engine timings for thousands of rows on a busy machine, ms. */
const times = { settleMs: 150, recheckMs: 60, leaseMs: 6000, callMs: 3000 }
const pass = () => realClock.sleep(20)
const rows = 30
/** Restores per kind, scope and store. */
const moments = 20
/** Concurrent worlds: they mostly wait. */
const atOnce = 14

/**
 * Restores backups of 20 random moments per kind of job, of the store alone and with the whole data folder, in files
 * and PostgreSQL; a fourth of them with a history lag of two settle times and a held start, and a fourth with calls
 * that never reach the service.
 */
export async function longRestores(
  seed: number,
  { kills }: Pick<RunOptions, "kills">,
): Promise<{ readonly lines: readonly string[]; readonly missed: readonly string[] }> {
  const random = createRandom(seed)
  const postgres = await startPostgres()
  const stores = {
    file: async (): Promise<BackedUpStore> => fileStore(),
    PostgreSQL: async (): Promise<BackedUpStore> => postgresStore(await postgres.createDatabase()),
  }
  const cases = Object.entries(stores).flatMap(([name, make]) =>
    restoreKinds.flatMap((kind) =>
      (["store", "folder"] as const).flatMap((scope) =>
        Array.from({ length: kills === 0 ? 1 : moments }, (_, at) => ({
          name,
          make,
          played: {
            kind,
            scope,
            seed: random.integer(1, 1e9),
            rows,
            lagMs: at % 4 === 3 ? 2 * times.settleMs : 0,
            notSent: at % 4 === 1 ? 0.1 : 0,
          },
        })),
      ),
    ),
  )
  const ends: { name: string; played: RestoreCase; end: RestoreEnd }[] = []
  const missed: string[] = []
  const left = [...cases]
  try {
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const { name, make, played } = next
        const label = `${played.kind}, ${played.scope} in ${name}, seed ${played.seed}`
        try {
          const end = await playRestore(played, {
            clock: realClock,
            store: await make(),
            times,
            pass,
            longestMs: 180_000,
          })
          ends.push({ name, played, end })
          missed.push(...end.mistakes.map((mistake) => `${label}: ${mistake}`))
        } catch (error) {
          missed.push(`${label}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    await postgres.stop()
  }
  const sum = (of: (end: RestoreEnd) => number, some = ends) =>
    some.reduce((total, { end }) => total + of(end), 0)
  const lines = [
    `restores, seed ${seed}: ${ends.length} backups restored, ${missed.length} mistakes`,
    `  ${sum(({ done }) => done[1] - done[0])} effects were not in their backup (${sum(({ overtaken }) => overtaken)} of rows that it takes for not sent); ${sum(({ found }) => found)} rows found, ${sum(({ sent }) => sent)} sent after a click, ${sum(({ decided }) => decided)} decided`,
    ...restoreKinds.map((kind) => {
      const some = ends.filter(({ played }) => played.kind === kind)
      const signs = some.map(({ end }) => end.sign ?? "none needed")
      const counted = [...new Set(signs)].map(
        (sign) => `${sign} ${signs.filter((one) => one === sign).length}`,
      )
      return `  ${kind}: ${some.length}, ${sum(({ done }) => done[1] - done[0], some)} effects, shown by ${counted.join(", ")}`
    }),
  ]
  return { lines, missed: missed.slice(0, 40) }
}
