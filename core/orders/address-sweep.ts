import * as z from "zod/mini"
import { limits } from "../../contract/limits.ts"
import type { DeskContext } from "../context.ts"
import type { JobRecord, RowRecord } from "../jobs/job-store.ts"
import { withoutAddress } from "./redeem-row.ts"

const dayMs = 86_400_000
/** Rows that are looked through at once. */
const rowsAtOnce = 500
/** Under which the store keeps how far the sweep has come. */
const cursorName = "address-sweep"
const cursor = z.object({ from: z.number() })

/** Ends of a row after which nothing is sent any more by itself. */
const ended: ReadonlySet<RowRecord["state"]> = new Set(["confirmed", "failed"])

/**
 * Removes the addresses of redemptions that are older than the retention setting says, for good. What has not ended
 * yet still needs its address and is swept once it has. Can be run at any time and by several instances at once.
 * @returns how many addresses were removed
 */
export async function sweepAddresses({
  clock,
  settings,
  store,
}: Pick<DeskContext, "clock" | "settings" | "store">): Promise<number> {
  const { address_days } = await settings.get("retention")
  const to = clock.now() - address_days * dayMs
  const from = cursor.safeParse(await store.settings.get(cursorName)).data?.from ?? 0
  let removed = 0
  // Everything before this is swept: the next sweep begins here.
  let sweptTo = to
  for await (const job of redemptions(store, from, to)) {
    const swept = await sweepJob(store, job, clock.now())
    removed += swept.removed
    if (swept.left) sweptTo = Math.min(sweptTo, job.createdAt)
  }
  if (sweptTo > from) await store.settings.put(cursorName, { from: sweptTo })
  return removed
}

async function* redemptions(
  { jobs }: DeskContext["store"],
  from: number,
  to: number,
): AsyncGenerator<JobRecord> {
  let before: string | undefined
  for (;;) {
    const perPage = limits.perPage.max
    const found = await jobs.list({ kind: "redeem", from, to, before, perPage })
    const page = found.slice(0, perPage)
    yield* page
    before = page.at(-1)?.id
    if (found.length <= perPage) return
  }
}

async function sweepJob(
  { jobs }: DeskContext["store"],
  job: JobRecord,
  at: number,
): Promise<{ removed: number; left: boolean }> {
  let removed = 0
  let left = false
  for (let after = 0; ;) {
    const rows = await jobs.rowsIn(
      job.id,
      ["planned", "sent", "confirmed", "failed", "unknown", "absent", "conflict"],
      after,
      rowsAtOnce,
    )
    const changes = rows.flatMap((row) => {
      const set = withoutAddress(row, at)
      if (set === undefined) return []
      if (!isOver(job, row)) {
        left = true
        return []
      }
      return [{ row: row.row, from: [row.state], attempt: row.attempts, set }]
    })
    const results = changes.length > 0 ? await jobs.changeRows(job.id, changes) : []
    removed += results.filter((result) => result === "changed").length
    left ||= results.includes("stale")
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return { removed, left }
    after = last.row
  }
}

/** Whether nobody needs the row's address for sending any more. */
function isOver(job: JobRecord, { state, decision }: RowRecord): boolean {
  if (ended.has(state)) return true
  if (state === "absent" || state === "conflict") return decision !== null
  return state === "planned" && job.state === "cancelled"
}
