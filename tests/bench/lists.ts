import { createSandbox } from "../../sandbox/app.ts"
import { fillDemoLists } from "../../src/demo/demo-store.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { createMemoryCopy } from "../support/memory-copy.ts"
import { createTestKit } from "../support/test-kit.ts"
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

/** What the server needs to answer lists from the local copy in SQLite. */
export async function measureLists(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { members, atMost } of sizes) {
    const times = await measure(members)
    const all = [...times.values()].flat()
    const name = `lists of ${members.toLocaleString("en-AU")} members, p95`
    figures.push({ name, unit: "ms", value: quantile(all, 0.95), atMost })
    for (const [request, own] of times)
      figures.push({ name: `  ${request}`, unit: "ms", value: quantile(own, 0.95) })
  }
  return figures
}

async function measure(count: number): Promise<Map<string, number[]>> {
  const clock = createFakeClock()
  const copy = await createMemoryCopy(clock)
  const { ask } = createTestKit({ clock, copy })
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
