import { Client } from "pg"
import { openPgBoss } from "../../bff/dispatch/pg-boss.ts"
import type { RunEnd } from "../../core/dispatch.ts"
import { realClock } from "../../core/runtime.ts"
import { quietLog } from "../support/quiet-log.ts"

// One instance of `dispatch.test.ts`: its runs write what they saw and whether another one was active.

const databaseUrl = process.env["DATABASE_URL"] ?? ""

/** A session lock of each run, which ends with its process: two runs of a key cannot both have it. */
async function run(key: string): Promise<RunEnd> {
  const client = new Client({ connectionString: databaseUrl })
  client.on("error", () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ won: boolean }>(
      "select pg_try_advisory_lock(hashtextextended($1, 1)) as won",
      [key],
    )
    if (!rows[0]?.won) await client.query("insert into overlap values ($1)", [key])
    const wanted = await client.query<{ number: number }>("select number from wanted where key = $1", [key])
    await realClock.sleep(Math.random() * 30)
    await client.query("update seen set number = greatest(number, $2) where key = $1", [
      key,
      wanted.rows[0]?.number,
    ])
  } finally {
    await client.end().catch(() => undefined)
  }
  if (Math.random() < 0.05) throw new Error("made up")
  return Math.random() < 0.1 ? { againAt: realClock.now() + 300 } : "done"
}

const dispatcher = await openPgBoss(databaseUrl, quietLog)
dispatcher.work("job", 4, run)
await dispatcher.start()
process.stdout.write("ready\n")
process.once("SIGTERM", () => void dispatcher.stop().then(() => process.exit(0)))
