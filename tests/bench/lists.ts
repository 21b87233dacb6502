import { memberReader } from "../../contract/program/member.ts"
import { orderReader } from "../../contract/program/order.ts"
import { noOrderProgress, noProgress, type CopyStore } from "../../core/copy/copy-store.ts"
import type { ReadOutcome } from "../../contract/reading.ts"
import { createSandbox } from "../../sandbox/app.ts"
import { memberView, orderView } from "../../sandbox/program/record-views.ts"
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
  const people = await fill(copy, count, clock.now())
  const times = new Map<string, number[]>(requests.map((request) => [request, []]))
  for (let round = 0; round < rounds; round += 1) {
    const one = people[(round * 613) % people.length]
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

/** Fills a copy from the sandbox's records; returns its members. */
async function fill(copy: CopyStore, count: number, asOf: number) {
  const { settings, store } = createSandbox({ members: count })
  const people = Array.from({ length: count }, (_, at) => store.members.get(store.members.idAt(at)))
    .filter((one) => one !== undefined)
    .map((one) => valueOf(memberReader.read(memberView(settings, one))))
  const orders = store.orders.all.map((one) => valueOf(orderReader.read(orderView(settings, one, "list"))))
  for (let at = 0; at < people.length; at += 100)
    await copy.members.put(people.slice(at, at + 100).map((record) => ({ record, asOf })))
  for (let at = 0; at < orders.length; at += 100)
    await copy.orders.put(
      orders.slice(at, at + 100).map((record) => ({ record, asOf })),
      "list",
    )
  const done = { complete: true, sweptFrom: asOf, syncedAt: asOf }
  await copy.members.setProgress({ ...noProgress, ...done, total: count })
  await copy.orders.setProgress({ ...noOrderProgress, ...done })
  return people
}

function valueOf<T>(outcome: ReadOutcome<T>): T {
  if (!outcome.ok) throw new Error("The sandbox made a record that Laurel cannot read.")
  return outcome.value
}
