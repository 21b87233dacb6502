import { setTimeout as sleep } from "node:timers/promises"
import { appStatus } from "../../../contract/status.ts"
import { realClock } from "../../../core/runtime.ts"
import { quantile } from "../../bench/report.ts"
import { startFleet } from "../fleet.ts"
import { expectData, submitJob } from "../job-client.ts"
import { awardRows } from "../made-up-rows.ts"
import { createRandom } from "../random.ts"
import { signedIn } from "./cluster.ts"
import { subjectsOf } from "./pages.ts"
import { type Seat, startCrowd } from "./people.ts"
import { awaited, failuresOf, mostInAMinute, pageLines, seconds, spread, timesOf } from "./waits.ts"

interface WithSync {
  readonly minutes: number
  readonly people: number
  readonly limit: number
}

interface Measured {
  readonly name: string
  /** 95 % of answers that people waited for came within it, ms. */
  readonly p95: number
  readonly lines: readonly string[]
  readonly missed: readonly string[]
}

const times = { settle: 120, recheck: 60, lease: 30, call: 12 }
const members = 10_000

/**
 * People at work while an empty copy fills, against the same people without a copy. Once with all their pages, whose
 * lists need the service only without a copy, and once with record pages alone, which need it as much in both.
 */
export async function measureWithSync(options: WithSync) {
  const [off, on, recordsOff, recordsOn] = await Promise.all([
    measure("all pages, sync off", "off", false, options),
    measure("all pages, sync on", "on", false, options),
    measure("record pages, sync off", "off", true, options),
    measure("record pages, sync on", "on", true, options),
  ])
  const slower = [
    [off, on],
    [recordsOff, recordsOn],
  ] as const
  return {
    lines: [off, on, recordsOff, recordsOn].flatMap(({ lines }) => lines),
    missed: [
      ...[off, on, recordsOff, recordsOn].flatMap(({ missed }) => missed),
      ...slower.flatMap(([without, synced]) =>
        synced.p95 <= without.p95 + tolerance
          ? []
          : [`${synced.name}: p95 ${seconds(synced.p95)}, ${seconds(without.p95)} without sync`],
      ),
    ],
  }
}

/** Below it two figures are the same, ms: a person at work does not notice it. */
const tolerance = 100

async function measure(
  name: string,
  sync: "on" | "off",
  recordsOnly: boolean,
  { minutes, people, limit }: WithSync,
): Promise<Measured> {
  const random = createRandom(1)
  const fleet = await startFleet({
    instances: 1,
    times,
    rateLimit: limit,
    sandbox: { members, rateLimit: limit, giftcardRateLimit: limit },
    env: { SYNC: sync },
  })
  try {
    const { sandbox, apps, ask } = fleet
    const url = apps[0]?.url ?? ""
    const seats = await signedIn(url, people)
    const made = await submitJob(ask, { kind: "award", rows: awardRows(sandbox, 1, random) })
    const crowd = startCrowd(
      recordsOnly ? seats.map(withRecordsOnly) : seats,
      subjectsOf(sandbox, made.id, random),
      random,
      realClock,
    )
    await sleep(minutes * 60_000)
    await crowd.stop()
    const { copy } = expectData(await ask("/status"), 200, appStatus)
    const requests = sandbox.requests.entries.filter(({ api }) => api === "program")
    const refused = requests.filter(({ status }) => status === 429).length
    const waits = timesOf(awaited(crowd.requests).filter(({ ofService }) => ofService || !recordsOnly))
    return {
      name,
      p95: quantile(waits, 0.95),
      lines: [
        `${name}: ${people} people for ${minutes} minutes, ${limit} requests a minute: ${spread(waits)}`,
        ...pageLines(crowd.requests, crowd.remembered),
        `  the service: ${requests.length} requests, at most ${mostInAMinute(requests)} in any minute, ${refused} over the limit`,
        `  the copy: ${JSON.stringify(copy)}`,
      ],
      missed: [
        ...failuresOf(crowd.requests),
        ...(refused === 0 ? [] : [`${name}: ${refused} requests were over the limit`]),
      ],
    }
  } finally {
    await fleet.close()
  }
}

/** Requests only what each page needs of the service, with or without a copy. */
function withRecordsOnly({ send, listen }: Seat): Seat {
  const nothing = { status: 200, headers: new Headers(), body: {} }
  const isRecord = (path: string) => path.startsWith("/program/")
  return {
    send: async (path, how) => (isRecord(path) || how.method === "POST" ? send(path, how) : nothing),
    listen,
  }
}
