import { densest } from "../support/densest.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { createMemoryCopy } from "../support/memory-copy.ts"
import { listOrders, ModelProgram } from "../support/model-program.ts"
import { createTestKit } from "../support/test-kit.ts"
import { createRandom } from "./random.ts"

const minuteMs = 60_000
const members = 10_000
const limit = 60
/** From 20:00 to 06:00, ms. */
const nightMs = 600 * minuteMs
/** Bounds of docs/local-copy.md, ms. */
const longest = { members: 8 * minuteMs, ledgers: nightMs }

/** An empty copy of a program with 10,000 members and a ledger each, in a night without people. */
export async function measureFirstFill() {
  const clock = createFakeClock()
  const random = createRandom(1)
  const program = new ModelProgram(listOrders["by points"] ?? (() => 0), () => random.next())
  program.add(members)
  const copy = await createMemoryCopy(clock)
  const { app, upstream } = createTestKit({ clock, copy, rateLimit: limit })
  upstream.serve(program.serve)
  const from = clock.monotonic()
  app.start()
  const msUntil = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) {
      if (clock.monotonic() - from > nightMs) return Infinity
      await clock.advance(5000)
    }
    return clock.monotonic() - from
  }
  const membersMs = await msUntil(async () => (await copy.members.progress()).complete)
  const ledgersMs = await msUntil(async () => (await copy.ledgers.progress()).read === members)
  await app.stop()
  const times = upstream.calls.map(({ at }) => at)
  const most = densest(times, minuteMs)
  const minutes = (ms: number) => `${(ms / minuteMs).toFixed(1)} minutes`
  return {
    lines: [
      `first fill, ${members} members, ${limit} requests a minute: members after ${minutes(membersMs)}, all ledgers after ${minutes(ledgersMs)}`,
      `  ${times.length} requests, at most ${most} in any minute`,
    ],
    missed: [
      ...(membersMs <= longest.members ? [] : ["the members took too long"]),
      ...(ledgersMs <= longest.ledgers ? [] : ["the ledgers took more than a night"]),
      ...(most <= limit ? [] : [`${most} requests within a minute`]),
    ],
  }
}
