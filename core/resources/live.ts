import { grantOf, type Permission } from "../../contract/roles.ts"
import type { JobEventData } from "../../contract/job-rows.ts"
import type { AppEvent, LiveEvent, ShellState } from "../../contract/status.ts"
import type { SessionUser } from "../../contract/users.ts"
import type { CoreContext } from "../context.ts"
import { jobScope, seesJob } from "./access.ts"
import { viewJob, viewRows } from "./job-view.ts"
import { summaryFor } from "./jobs.ts"

/** What comes together is told together, after so many ms: the budget once who asked knows it from the response. */
const gatherMs = { soon: 50, budget: 300 }
/** Requests in use become free by themselves: what is left is told so often meanwhile, in ms. */
const refillMs = 4000

/** How things stand: of no job but of all of them. */
const standing = (unchanged_ms?: number): readonly AppEvent[] => [
  { topic: "budget", id: "all" },
  { topic: "job", id: "", unchanged_ms },
]

/** Job events with one of these ids are about no one job. */
const ofNoJob: ReadonlySet<string> = new Set(["", "all"])

/** What one person hears of the events that came together. */
export type EventReader = (user: SessionUser) => Promise<readonly LiveEvent[]>

/** Tells whoever listens what changed, read once for all of them (docs/api/laurel.md, Events). */
export function createLive(context: CoreContext) {
  const { clock, events } = context
  const listeners = new Set<(tell: EventReader) => void>()
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
      const tell = createEventReader(context, together(gathered[when]), onInUse)
      gathered[when] = []
      for (const listener of listeners) listener(tell)
    })
  }
  let jobChangedAt = clock.now()
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "job") jobChangedAt = clock.now()
    gather(event)
  })

  return {
    /** Calls `listener` with what there is to tell; what it gives back ends that. */
    listen(listener: (tell: EventReader) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** What a stream begins with: how things stand, and since when jobs stand so. */
    now: (): EventReader => createEventReader(context, standing(clock.now() - jobChangedAt), onInUse),
    /** The same for a session. */
    async shell(user: SessionUser): Promise<ShellState> {
      const told = await createEventReader(context, standing(), onInUse)(user)
      return { budget: told.find(({ budget }) => budget)?.budget, jobs: told.find(({ jobs }) => jobs)?.jobs }
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

/** What a person needs to hear of a topic; `own` is about oneself or, as `all`, about everybody; `all` is for everybody. */
const topicPermission: Readonly<Record<AppEvent["topic"], Permission | "own" | "all">> = {
  audit: "audit.read",
  budget: "status.read",
  cards: "cards.read",
  claims: "orders.read",
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

/** Reads what events are about once, however many people hear of it. */
function createEventReader(
  context: CoreContext,
  events: readonly AppEvent[],
  onInUse: () => void,
): EventReader {
  const budget = once(async () => {
    const states = await context.budget.states()
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

  async function heardBy(user: SessionUser, event: AppEvent): Promise<LiveEvent | undefined> {
    const { topic, id } = event
    const needed = topicPermission[topic]
    if (needed === "all") return event
    if (needed === "own") return id === user.id || id === "all" ? event : undefined
    const grant = grantOf(user.role, needed)
    if (grant === "no") return undefined
    if (topic === "audit" && grant !== "yes") return { ...event, id: "" }
    if (topic === "budget") return { ...event, budget: (await budget())(user.id) }
    return topic === "job" ? heardOfJob(user, event) : event
  }

  async function heardOfJob(
    user: SessionUser,
    event: AppEvent,
  ): Promise<(LiveEvent & JobEventData) | undefined> {
    const found = await jobs.get(event.id)?.()
    const scope = jobScope(user)
    // Whose a job is that cannot be read is not known: only who sees them all hears of it.
    const isTheirs = found === undefined ? scope === undefined : seesJob(user, found.record)
    if (!isTheirs && !ofNoJob.has(event.id)) return undefined
    const summary = { jobs: await (scope === undefined ? ofEverybody() : summaryFor(context, scope)) }
    if (found === undefined) return { ...event, ...summary }
    const { record, job } = found
    const isOwn = record.total === 1 && record.createdBy.id === user.id
    const row = isOwn ? await context.store.jobs.row(record.id, 1) : undefined
    return {
      ...event,
      ...summary,
      job,
      ...(row && { row: (await viewRows(context, record, [row], user.role))[0] }),
    }
  }

  return async (user) => {
    const heard = await Promise.all(events.map((event) => heardBy(user, event)))
    return heard.filter((event) => event !== undefined)
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
