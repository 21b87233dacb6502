import * as z from "zod/mini"
import { firstLowFund } from "../../contract/cards.ts"
import { isLowOnStock, rewardListReader } from "../../contract/program/reward.ts"
import { reversalState } from "../../contract/job.ts"
import { limits } from "../../contract/limits.ts"
import { type Notice, noticeDays, readNoticesBody } from "../../contract/notices.ts"
import { can, grantOf } from "../../contract/roles.ts"
import { apis } from "../../contract/response.ts"
import { driftHandling } from "../../contract/status.ts"
import type { SessionUser } from "../../contract/session.ts"
import { type CoreContext, route, type Route } from "../context.ts"
import { stored } from "../errors.ts"
import { planById } from "../gateway/upstream-read.ts"
import { copiedRewards } from "../rewards/reward-list.ts"
import { success } from "../http.ts"
import type { JobRecord } from "../jobs/job-store.ts"
import { isSingleOrShipDesk, jobLabel, needsPerson } from "../jobs/job-record.ts"
import type { SettingsDocuments } from "../ports.ts"
import { textHash } from "../runtime.ts"
import { readBody } from "../validation.ts"
import { jobScope, requireControl } from "../jobs/job-access.ts"
import { fundOf } from "../gift-cards/card-routes.ts"
import { viewJob } from "../jobs/job-view.ts"
import { visibleJob } from "../jobs/job-routes.ts"

const dayMs = 86_400_000
/** Most notices of each kind. */
const most = 20
/** Most remembered ids of read notices, per person. */
const mostRead = 200

export const noticeRoutes: readonly Route[] = [
  // What needs attention and which of one's jobs are finished: from our own store and cache, without a request.
  route("GET /notices", null, [], async (context, { user }) => success(await noticesFor(context, user))),
  // How many of them, for the bell of every page.
  route("GET /notices/unread", null, [], async (context, { user }) => {
    const found = await noticesFor(context, user)
    return success({ unread: found.filter(({ read }) => !read).length })
  }),
  // What the person has read, on every device of theirs.
  route("PUT /notices/read", null, [], async (context, { user, body }) => {
    const { keys } = readBody(body, readNoticesBody)
    const { store, events } = context
    const changing = store.settings.change(readName(user), async (settings) => {
      const read = [...new Set([...(await readKeys(settings, user)), ...keys])].slice(-mostRead)
      await settings.put(readName(user), { read })
    })
    await stored(changing)
    events.publish({ topic: "notices", id: user.id })
    return success(await noticesFor(context, user))
  }),
  // Dismisses failed rows for everyone, until rows of the job fail again.
  route("POST /jobs/{id}/dismiss", "jobs.control", [], async (context, request, params) => {
    const job = await visibleJob(context, request, params)
    // Nothing is done to the job: a manager needs no reason.
    requireControl(request.user, job, "dismissed")
    const { store, clock, events } = context
    const since = clock.now() - noticeDays * dayMs
    const changing = store.settings.change(dismissedName, async (settings) => {
      const recent = Object.entries(await dismissedJobs(settings)).filter(([, at]) => at >= since)
      const jobs = { ...Object.fromEntries(recent), [job.id]: clock.now() }
      await settings.put(dismissedName, { jobs })
    })
    await stored(changing)
    await context.audit.recordDone(request, {
      action: "job.dismiss",
      on: { kind: "job", id: job.id, label: jobLabel(job) },
      note: `${job.counts.failed} not done`,
    })
    events.publish({ topic: "notices", id: "all" })
    return success(await noticesFor(context, request.user))
  }),
]

// Internal documents of the settings store: `GET /settings/{name}` serves neither.
export const readName = ({ id }: Pick<SessionUser, "id">) => `notices:${id}`
const dismissedName = "dismissed-failures"
const readDocument = z.object({ read: z.array(z.string()) })
const dismissedDocument = z.object({ jobs: z.record(z.string(), z.number()) })

async function readKeys(settings: SettingsDocuments, user: SessionUser): Promise<readonly string[]> {
  return readDocument.safeParse(await stored(settings.get(readName(user)))).data?.read ?? []
}

/** When the failures of which jobs were dismissed, ms since 1970. */
async function dismissedJobs(settings: SettingsDocuments): Promise<Readonly<Record<string, number>>> {
  return dismissedDocument.safeParse(await stored(settings.get(dismissedName))).data?.jobs ?? {}
}

type Unread = Notice extends infer Each ? (Each extends Notice ? Omit<Each, "read"> : never) : never

async function noticesFor(context: CoreContext, user: SessionUser): Promise<Notice[]> {
  const read = new Set(await readKeys(context.store.settings, user))
  const found: readonly Unread[] = [
    ...(await keyNotices(context, user)),
    ...(await fundNotice(context, user)),
    ...(await stockNotice(context, user)),
    ...(await driftNotice(context, user)),
    ...(await booksNotice(context, user)),
    ...(can(user.role, "jobs.read") ? await jobNotices(context, user) : []),
  ]
  return found.map((each) => ({ ...each, read: read.has(each.key) }))
}

async function keyNotices({ config, monitor }: CoreContext, { role }: SessionUser): Promise<Unread[]> {
  if (!can(role, "settings.program")) return []
  return apis.flatMap((api) => {
    const { seen } = monitor.health(api)
    const isRefused = config.apis[api] !== null && [seen.read, seen.write].includes("refused")
    return isRefused ? [{ key: `key:${api}:${config.startedAt}`, kind: "key" as const, api }] : []
  })
}

async function fundNotice(context: CoreContext, { role }: SessionUser): Promise<Unread[]> {
  if (!can(role, "cards.issue")) return []
  const { left_cents, entered_at } = await fundOf(context)
  const { low_cents = firstLowFund } = await context.settings.get("cardCosts")
  if (left_cents === null || left_cents >= low_cents) return []
  return [{ key: `fund:${entered_at}:${low_cents}`, kind: "fund", left_cents }]
}

/** Of the local copy, else of the page of the catalogue that Home reads, as far as it is in the cache. */
async function stockNotice(context: CoreContext, { role }: SessionUser): Promise<Unread[]> {
  if (!can(role, "rewards.read")) return []
  const { reads, settings } = context
  const page = planById("GET /rewards", {}, { page: 1, per_page: limits.perPage.max })
  const cached = () => rewardListReader.tolerant.safeParse(reads.cached(page)?.data).data
  const catalogue = (await copiedRewards(context)) ?? cached()
  if (catalogue === undefined) return []
  const { low } = await settings.get("stock")
  const short = catalogue.filter((reward) => isLowOnStock(reward, low))
  const [first] = short
  if (first === undefined) return []
  const ids = short.map(({ id }) => id).toSorted()
  const about = short.slice(0, 3).map(({ name, id }) => name || id)
  return [{ key: `stock:${textHash(ids.join())}`, kind: "stock", count: short.length, about }]
}

async function driftNotice({ store }: CoreContext, { role }: SessionUser): Promise<Unread[]> {
  if (!can(role, "settings.program")) return []
  const rows = (await stored(store.drift.list())).filter((row) => driftHandling[row.kind].tone === "warning")
  const since = rows.map(({ first_at }) => first_at).toSorted()
  const newest = since.at(-1)
  if (newest === undefined) return []
  const about = [...new Set(rows.map(({ operation }) => operation))].slice(0, 3)
  return [{ key: `drift:${newest}`, kind: "drift", count: rows.length, about }]
}

async function booksNotice({ books }: CoreContext, { role }: SessionUser): Promise<Unread[]> {
  if (grantOf(role, "reports.read") !== "yes") return []
  const found = await books.unexplained()
  const month = found
    .map((each) => each.month)
    .toSorted()
    .at(-1)
  if (month === undefined) return []
  const ids = found.map(({ id }) => id).toSorted()
  return [{ key: `books:${textHash(ids.join())}`, kind: "books", count: found.length, month }]
}

/** Jobs of the last days, newest first: those that need a person, those with failed rows, and one's own finished ones. */
async function jobNotices(context: CoreContext, user: SessionUser): Promise<Unread[]> {
  const { jobs } = context.store
  const from = context.clock.now() - noticeDays * dayMs
  const visible = { perPage: most, scope: jobScope(user) }
  const asking = await stored(jobs.list({ ...visible, state: "attention" }))
  const failed = await stored(jobs.list({ ...visible, from, state: "failed" }))
  const done = await stored(jobs.list({ ...visible, from, state: "done", createdBy: user.id }))
  const dismissed = await dismissedJobs(context.store.settings)
  const all = new Map([...asking, ...failed, ...done].map((job) => [job.id, job]))
  const found = await Promise.all(
    [...all.values()].map(async (record): Promise<Unread[]> => {
      const kind = kindOf(record, user, dismissed[record.id] ?? 0)
      if (kind === undefined) return []
      const at = new Date(record.finishedAt ?? record.createdAt).toISOString()
      const job = await viewJob(context, record)
      // The failed rows of a reversed job are not retried.
      if (kind === "failed" && reversalState(job) !== undefined) return []
      const returned = kind === "decision" ? await returnedIn(context, record) : undefined
      // A person may have read that points are missing, which has the same counts.
      const key = `${noticeKey(kind, record)}${returned?.twice === true ? ":twice" : ""}`
      return [{ key, kind, at, job, ...(returned && { returned }) }]
    }),
  )
  return found.flat().toSorted((one, other) => timeOf(other).localeCompare(timeOf(one)))
}

/** The order whose points a person decides about: its page asks what to do. */
async function returnedIn({ store }: CoreContext, { id, kind, total }: JobRecord) {
  if (kind !== "order-return" || total !== 1) return undefined
  const row = await stored(store.jobs.row(id, 1))
  return row && { order_id: row.label ?? "", twice: row.outcome?.code === "returned_twice" }
}

const timeOf = (each: Unread) => ("at" in each ? each.at : "")

export function noticeKey(kind: string, { id, finishedAt, attention, counts }: JobRecord): string {
  return `${kind}:${id}:${finishedAt ?? ""}:${attention + counts.confirmed + counts.failed}`
}

export function kindOf(job: JobRecord, user: Pick<SessionUser, "id">, dismissedAt: number) {
  if (job.attention > 0) return "decision"
  if (needsPerson(job)) return "paused"
  if (job.state !== "done" && job.state !== "cancelled") return undefined
  if (job.counts.failed > 0 && (job.finishedAt ?? job.createdAt) > dismissedAt) return "failed"
  // A form showed what became of its one row, the ship desk what became of each parcel.
  const isShown = isSingleOrShipDesk(job)
  return job.state === "done" && job.createdBy.id === user.id && !isShown ? "finished" : undefined
}
