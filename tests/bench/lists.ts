import { openCopyStore } from "../../bff/copy/copy-store.ts"
import { openEngine } from "../../bff/store/open-store.ts"
import type { CopyStore } from "../../core/copy/copy-store.ts"
import { createSandbox } from "../../sandbox/app.ts"
import { fillDemoLists } from "../../src/demo/demo-store.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { createMemoryCopy } from "../support/memory-copy.ts"
import { startPostgres, type TestPostgres } from "../support/postgres.ts"
import { quietLog } from "../support/quiet-log.ts"
import { createTestKit } from "../support/test-kit.ts"
import { until } from "../faults/until.ts"
import { withApps } from "./apps.ts"
import { timesOnScreen } from "./interactions.ts"
import { type Figure, quantile } from "./report.ts"

/** How often each list is requested. */
const rounds = 20
/** Members, and the time within which 95 % of the answers come, ms. */
const sizes = [
  { members: 10_000, atMost: 20 },
  { members: 100_000, atMost: 150 },
] as const

/** `$name`, `$company` and `$digits` are those of another member in each round. */
const requests = [
  "/members?page=1&per_page=25",
  "/members?page=300&per_page=25&sort=company",
  "/members?search=$name&sort=match&per_page=8",
  "/members?search=$company&page=1&per_page=25",
  "/members?search=$digits&page=1&per_page=25",
  "/members?status=active&sort=-points_balance&page=1&per_page=100",
  "/members?field=region&value=QLD&page=1&per_page=25",
  "/members?sort=meta:region&page=1&per_page=25",
  "/orders?status=to-ship&page=1&per_page=100",
  "/orders?search=$name&page=1&per_page=25",
] as const

/** On the screen with the first of the sizes, ms. A search waits for the next key first. */
const onScreen = { names: ["next page", "sort", "filter by status"], atMost: 100 }
const searchOnScreen = "search, last key to rows"

/** What the server needs to answer lists from the local copy, and when their rows are on the screen. */
export async function measureLists(): Promise<Figure[]> {
  const figures: Figure[] = await measureScreen()
  const postgres = await startPostgres()
  try {
    for (const { members, atMost } of sizes)
      for (const [store, open] of Object.entries(storesOf(postgres))) {
        const copy = await open()
        const times = await measure(copy, members)
        await copy.close()
        const name = `lists of ${members.toLocaleString("en-AU")} members in ${store}, p95`
        figures.push({ name, unit: "ms", value: quantile([...times.values()].flat(), 0.95), atMost })
        for (const [request, own] of times)
          figures.push({ name: `  ${request}`, unit: "ms", value: quantile(own, 0.95) })
      }
  } finally {
    await postgres.stop()
  }
  return figures
}

function storesOf(postgres: TestPostgres): Readonly<Record<string, () => Promise<CopyStore>>> {
  return {
    "SQLite in memory": () => createMemoryCopy(createFakeClock()),
    PostgreSQL: async () => {
      const engine = await openEngine({ databaseUrl: await postgres.createDatabase() }, quietLog)
      const close = () => engine.close()
      return openCopyStore({ kind: "database", dialect: "postgres", db: engine.db, close })
    },
  }
}

/** From a click or key to the rows of a program with a complete copy. */
async function measureScreen(): Promise<Figure[]> {
  const [{ members }] = sizes
  return withApps({ sandbox: { members }, sync: "on", rateLimit: 100_000 }, async ({ url, signedIn }) => {
    const context = await signedIn()
    const isSynced = async () => {
      const response = await context.request.get(`${url}/api/members?per_page=1`)
      return Object(await response.json()).meta?.complete === true || undefined
    }
    await until("a copy of the members", 120_000, isSynced, 1000)
    const times = await timesOnScreen(context, url, [...onScreen.names, searchOnScreen])
    const name = `lists of ${members.toLocaleString("en-AU")} members on the screen, p95`
    const all = onScreen.names.flatMap((each) => times.get(each) ?? [])
    return [
      { name, unit: "ms", value: quantile(all, 0.95), atMost: onScreen.atMost },
      ...[...times].map(([each, own]) => ({ name: `  ${each}`, unit: "ms", value: quantile(own, 0.95) })),
    ]
  })
}

async function measure(copy: CopyStore, count: number): Promise<Map<string, number[]>> {
  const { ask } = createTestKit({ copy })
  const sandbox = createSandbox({ members: count })
  await fillDemoLists(copy, sandbox)
  const times = new Map<string, number[]>(requests.map((request) => [request, []]))
  for (let round = 0; round < rounds; round += 1) {
    const one = sandbox.store.members.get(sandbox.store.members.idAt((round * 613) % count))
    for (const request of requests) {
      const line = request
        .replace("$name", () => encodeURIComponent(one?.last_name ?? ""))
        .replace("$company", () => encodeURIComponent(one?.company ?? ""))
        .replace("$digits", () => encodeURIComponent(one?.phone?.slice(-6) ?? ""))
      const from = performance.now()
      const { status, body } = await ask(`GET ${line}`)
      times.get(request)?.push(performance.now() - from)
      if (status !== 200) throw new Error(`${line} answered ${status}: ${JSON.stringify(body)}`)
    }
  }
  return times
}
