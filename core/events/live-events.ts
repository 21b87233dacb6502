import { grantOf, type Permission } from "../../contract/roles.ts"
import { rowStates } from "../../contract/job.ts"
import type { JobEventData } from "../../contract/job-rows.ts"
import type { AppEvent, LiveEvent, ShellState } from "../../contract/events.ts"
import type { SessionUser } from "../../contract/session.ts"
import type { CoreContext } from "../context.ts"
import { jobScope, seesJob } from "../jobs/job-access.ts"
import { isSingleOrShipDesk } from "../jobs/job-record.ts"
import { viewJob, viewRows } from "../jobs/job-view.ts"
import { summaryFor } from "../jobs/job-routes.ts"

/** Events are batched for this long, in ms: the budget longer, because the requesting page has it from the response. */
const gatherMs = { soon: 50, budget: 300 }
/** Interval of budget events while requests are in use, in ms: they become free over time. */
const refillMs = 4000

/** An overview of all jobs and the budget. */
const overview = (unchanged_ms?: number): readonly AppEvent[] => [
  { topic: "budget", id: "all" },
  { topic: "job", id: "", unchanged_ms },
]

/** Rows of an open job that its events carry: more than can be unsent together. */
const lastRows = 10

/** Job events with one of these ids are about no one job. */
const ofNoJob: ReadonlySet<string> = new Set(["", "all"])

/** Reads the events of one batch for one person. */
export type EventReader = (user: SessionUser) => Promise<readonly LiveEvent[]>

/** Sends changes to listeners, read once for all of them (docs/api/laurel.md, Events). */
export function createLive(context: CoreContext) {
  const { clock, events } = context
  const listeners = new Set<(reader: EventReader) => void>()
  const stopped = new AbortController()
  const gathered: Record<keyof typeof gatherMs, AppEvent[]> = { soon: [], budget: [] }
  let refilling = false

  const later = (ms: number, act: () => void) =>
    void clock.sleep(ms, stopped.signal).then(act, () => undefined)
  const onInUse = () => {
    if (refilling) return
    refilling = true
    later(refillMs, () => {
      refilling = false
      gather({ topic: "budget", id: "all" })
    })
  }
  function gather(event: AppEvent): void {
    if (listeners.size === 0) return
    const when = event.topic === "budget" ? "budget" : "soon"
    gathered[when].push(event)
    if (gathered[when].length > 1) return
    later(gatherMs[when], () => {
      const reader = createEventReader(context, together(gathered[when]), onInUse)
      gathered[when] = []
      for (const listener of listeners) listener(reader)
    })
  }
  let jobChangedAt = clock.now()
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "job") jobChangedAt = clock.now()
    gather(event)
  })

  return {
    /** Calls `listener` with what there is to tell; what it gives back ends that. */
    listen(listener: (reader: EventReader) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** The first event of a stream: the current state, and since when no job has changed. */
    now: (): EventReader => createEventReader(context, overview(clock.now() - jobChangedAt), onInUse),
    /** The same for a session. */
    async shell(user: SessionUser): Promise<ShellState> {
      const events = await createEventReader(context, overview(), onInUse)(user)
      return {
        budget: events.find(({ budget }) => budget)?.budget,
        jobs: events.find(({ jobs }) => jobs)?.jobs,
      }
    },
    stop() {
      unsubscribe()
      stopped.abort()
    },
  }
}

/** Each change once. Two tabs' changes of one thing concern both. */
function together(all: readonly AppEvent[]): AppEvent[] {
  const found = new Map<string, AppEvent>()
  for (const event of all) {
    const key = `${event.topic} ${event.topic === "budget" ? "" : event.id}`
    const { by, ...rest } = event
    found.set(key, found.has(key) && found.get(key)?.by !== by ? rest : event)
  }
  return [...found.values()]
}

/** The permission a topic requires; `own` is about oneself or, as `all`, about everyone; `all` is for everyone. */
const topicPermission: Readonly<Record<AppEvent["topic"], Permission | "own" | "all">> = {
  audit: "audit.read",
  budget: "status.read",
  cards: "cards.read",
  claims: "orders.read",
  copy: "members.read",
  job: "jobs.read",
  member: "members.read",
  members: "members.read",
  names: "members.read",
  note: "notes.read",
  notices: "own",
  orders: "orders.read",
  session: "own",
  settings: "all",
  status: "status.read",
  users: "users.manage",
}

/** Reads the data of events once for all listeners. */
function createEventReader(
  context: CoreContext,
  events: readonly AppEvent[],
  onInUse: () => void,
): EventReader {
  const budget = once(async () => {
    const states = await context.budget.recentStates()
    if (states().some(({ left, limit, waiting }) => left < limit || waiting > 0)) onInUse()
    return states
  })
  const ofEverybody = once(() => summaryFor(context, undefined))
  const ofJobs = events.filter(({ topic, id }) => topic === "job" && !ofNoJob.has(id))
  const jobs = new Map(
    ofJobs.map(({ id }) => [
      id,
      once(async () => {
        const record = await context.store.jobs.get(id)
        return record && { record, job: await viewJob(context, record) }
      }),
    ]),
  )

  async function eventFor(user: SessionUser, event: AppEvent): Promise<LiveEvent | undefined> {
    const { topic, id } = event
    const needed = topicPermission[topic]
    if (needed === "all") return event
    if (needed === "own") return id === user.id || id === "all" ? event : undefined
    const grant = grantOf(user.role, needed)
    if (grant === "no") return undefined
    if (topic === "audit" && grant !== "yes") return { ...event, id: "" }
    if (topic === "budget") return { ...event, budget: (await budget())(user.id) }
    return topic === "job" ? jobEventFor(user, event) : event
  }

  async function jobEventFor(
    user: SessionUser,
    event: AppEvent,
  ): Promise<(LiveEvent & JobEventData) | undefined> {
    const found = await jobs.get(event.id)?.()
    const scope = jobScope(user)
    // The owner of an unreadable job is unknown: only people who see all jobs get the event.
    const isTheirs = found === undefined ? scope === undefined : seesJob(user, found.record)
    if (!isTheirs && !ofNoJob.has(event.id)) return undefined
    const summary = { jobs: await (scope === undefined ? ofEverybody() : summaryFor(context, scope)) }
    if (found === undefined) return { ...event, ...summary }
    const { record, job } = found
    if (record.createdBy.id !== user.id || !isSingleOrShipDesk(record)) return { ...event, ...summary, job }
    const isOpened = record.closesAt !== null
    const after = isOpened ? Math.max(0, record.total + record.counts.excluded - lastRows) : 0
    const rows = await context.store.jobs.rowsIn(record.id, rowStates, after, isOpened ? lastRows : 1)
    return { ...event, ...summary, job, rows: await viewRows(context, record, rows, user.role) }
  }

  return async (user) => {
    const visible = await Promise.all(events.map((event) => eventFor(user, event)))
    return visible.filter((event) => event !== undefined)
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
