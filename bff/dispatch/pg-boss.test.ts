import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { RunEnd } from "../../core/dispatch.ts"
import type { Log } from "../../core/ports.ts"
import { FakePgBoss, type Touched } from "../../tests/support/fake-pg-boss.ts"
import { openPgBoss } from "./pg-boss.ts"

vi.mock("pg-boss", async (original) => ({
  ...(await original<object>()),
  PgBoss: (await import("../../tests/support/fake-pg-boss.ts")).FakePgBoss,
}))

type Run = (key: string, signal: AbortSignal) => Promise<RunEnd>
type Touch = () => Promise<Touched>

const second = 1000
const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const confirmed = async () => ({ affected: 1 })
const lost = async () => ({ affected: 0 })
const failed = () => Promise.reject(new Error("The database is away."))

async function open() {
  const log = { info: vi.fn<Log["info"]>(), warn: vi.fn<Log["warn"]>(), error: vi.fn<Log["error"]>() }
  const dispatcher = await openPgBoss("postgres://127.0.0.1/made-up", log)
  return { dispatcher, boss: FakePgBoss.last, log }
}

/** A dispatcher whose only worker, `job worker 1`, calls `run`. */
async function openWorker(run: Run) {
  const opened = await open()
  opened.dispatcher.work("job", 1, run)
  await opened.dispatcher.start()
  return opened
}

/** A run of J-1 that lasts until `end` is called; `touches` answer its confirmations, the last one all that follow. */
async function openRun(...touches: Touch[]) {
  const end = Promise.withResolvers<RunEnd>()
  let signal = new AbortController().signal
  const opened = await openWorker((_, given) => {
    signal = given
    return end.promise
  })
  let confirmations = 0
  opened.boss.touch.mockImplementation(() => {
    confirmations += 1
    return (touches[confirmations - 1] ?? touches.at(-1) ?? confirmed)()
  })
  const timersBefore = vi.getTimerCount()
  const ended = opened.boss.fetch("job worker 1", "J-1")
  await vi.advanceTimersByTimeAsync(0)
  return {
    ...opened,
    signal,
    /** Timers of the run that are still set. */
    timers: () => vi.getTimerCount() - timersBefore,
    end: async () => {
      end.resolve("done")
      await ended
    },
  }
}

describe("when a key is due", () => {
  test("an earlier time counts, and a later one postpones nothing", async () => {
    const { dispatcher, boss } = await open()
    const start = Date.now()
    const due = async (inMs: number) => {
      await dispatcher.wake("job", "J-1", { at: start + inMs })
      return (boss.queued.get("job J-1") ?? 0) - start
    }
    expect(await due(10 * minute)).toBe(10 * minute)
    expect(await due(20 * minute)).toBe(10 * minute)
    expect(await due(5 * minute)).toBe(5 * minute)
    // A queued key is moved, not sent again.
    expect(boss.send).toHaveBeenCalledTimes(1)
  })

  test("a key that is due now is locked until its transaction ends", async () => {
    const { dispatcher, boss } = await open()
    await dispatcher.wake("job", "J-1")
    await dispatcher.wake("job", "J-2", { at: Date.now() })
    await dispatcher.wake("job", "J-3", { at: Date.now() - minute })
    expect(boss.upsert).toHaveBeenCalledTimes(3)
    expect(boss.executeSql).not.toHaveBeenCalled()
    expect([...boss.queued]).toEqual(["J-1", "J-2", "J-3"].map((key) => [`job ${key}`, Date.now()]))
  })

  test("a key that another transaction queues meanwhile is moved at the next try", async () => {
    const { dispatcher, boss } = await open()
    boss.send.mockImplementationOnce(async () => {
      boss.queued.set("job J-1", Date.now() + 20 * minute)
      return null
    })
    await dispatcher.wake("job", "J-1", { at: Date.now() + 10 * minute })
    expect(boss.queued.get("job J-1")).toBe(Date.now() + 10 * minute)
    expect(boss.send).toHaveBeenCalledTimes(1)
  })

  test("a key that is never found and never accepted is tried three times", async () => {
    const { dispatcher, boss } = await open()
    boss.send.mockResolvedValue(null)
    await dispatcher.wake("job", "J-1", { at: Date.now() + minute })
    expect(boss.executeSql).toHaveBeenCalledTimes(3)
    expect(boss.send).toHaveBeenCalledTimes(3)
  })
})

describe("a notice", () => {
  async function openWorkers() {
    const opened = await open()
    const ends = new Map<string, () => void>()
    opened.dispatcher.work("ingest", 1, async () => "done")
    opened.dispatcher.work("job", 2, async (key) => {
      await new Promise<void>((resolve) => {
        ends.set(key, resolve)
      })
      return "done"
    })
    await opened.dispatcher.start()
    const end = (key: string) => {
      expect([...ends.keys()]).toContain(key)
      ends.get(key)?.()
    }
    return { ...opened, end }
  }

  test("goes to one worker of the queue when a key becomes due within a minute", async () => {
    const { dispatcher, boss } = await openWorkers()
    await dispatcher.wake("job", "J-1", { at: Date.now() + minute })
    await vi.advanceTimersByTimeAsync(minute - 1)
    expect(boss.notified).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(boss.notified).toEqual(["job worker 2"])
  })

  test("is not given for what is due later, which polling finds", async () => {
    const { dispatcher, boss } = await openWorkers()
    await dispatcher.wake("job", "J-1", { at: Date.now() + minute + 1 })
    await vi.advanceTimersByTimeAsync(10 * minute)
    expect(boss.notified).toEqual([])
  })

  test("goes to a worker without a run, and at the end of a run to the worker that ran it", async () => {
    const { dispatcher, boss, end } = await openWorkers()
    const runs = [boss.fetch("job worker 2", "J-1")]
    const wake = async () => {
      await dispatcher.wake("job", "J-3", { at: Date.now() + second })
      await vi.advanceTimersByTimeAsync(second)
      return boss.notified.splice(0)
    }
    expect(await wake()).toEqual(["job worker 3"])
    runs.push(boss.fetch("job worker 3", "J-2"))
    expect(await wake()).toEqual([])
    end("J-1")
    await runs[0]
    expect(boss.notified.splice(0)).toEqual(["job worker 2"])
    expect(await wake()).toEqual(["job worker 2"])
    end("J-2")
    await runs[1]
  })
})

describe("a run", () => {
  test("does not start when another instance has the claim", async () => {
    const run = vi.fn<Run>(async () => "done")
    const { boss } = await openWorker(run)
    boss.touch.mockImplementation(lost)
    await boss.fetch("job worker 1", "J-1")
    expect(run).not.toHaveBeenCalled()
    expect([...boss.queued]).toEqual([])
  })

  test("does not start when Laurel stops: its key is queued again", async () => {
    const run = vi.fn<Run>(async () => "done")
    const { boss, dispatcher } = await openWorker(run)
    await dispatcher.stop()
    await boss.fetch("job worker 1", "J-1")
    expect(run).not.toHaveBeenCalled()
    expect([...boss.queued]).toEqual([["job J-1", Date.now()]])
  })

  test.each([
    ["that throws", confirmed],
    ["whose claim cannot be confirmed", failed],
  ])("%s is logged and queued again in 5 s", async (_, touch) => {
    const { boss, log } = await openWorker(failed)
    boss.touch.mockImplementation(touch)
    await boss.fetch("job worker 1", "J-1")
    expect([...boss.queued]).toEqual([["job J-1", Date.now() + 5 * second]])
    expect(log.error).toHaveBeenCalledExactlyOnceWith(
      { err: new Error("The database is away."), key: "J-1" },
      "a run ended with an error and is taken up again",
    )
  })

  test("that asks for a later time is queued for it, and one that is done is not queued", async () => {
    const againAt = Date.now() + 10 * minute
    const { boss, log } = await openWorker(async (key) => (key === "J-1" ? { againAt } : "done"))
    await boss.fetch("job worker 1", "J-1")
    await boss.fetch("job worker 1", "J-2")
    expect([...boss.queued]).toEqual([["job J-1", againAt]])
    expect(log.error).not.toHaveBeenCalled()
  })

  test("is aborted when Laurel stops", async () => {
    const { dispatcher, signal, end } = await openRun()
    expect(signal.aborted).toBe(false)
    await dispatcher.stop()
    expect(signal.reason).toEqual(new Error("Laurel stops"))
    await end()
  })
})

describe("the claim of a run", () => {
  test("is confirmed every 2.5 s with the job itself, and no more after the run", async () => {
    const { boss, signal, end, timers } = await openRun()
    for (let times = 1; times <= 24; times += 1) {
      expect(boss.touch).toHaveBeenCalledTimes(times)
      await vi.advanceTimersByTimeAsync(2500)
    }
    // The bare id would confirm another instance's claim.
    expect(boss.touch).toHaveBeenLastCalledWith("job", { id: "job 1", name: "job", singletonKey: "J-1" })
    expect(signal.aborted).toBe(false)
    await end()
    expect(timers()).toBe(0)
  })

  test("aborts the run 7.5 s after the last confirmation", async () => {
    const { signal, end } = await openRun(confirmed, confirmed, failed)
    await vi.advanceTimersByTimeAsync(2500 + 7499)
    expect(signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signal.reason).toEqual(new Error("the claim could not be confirmed"))
    await end()
  })

  test("counts a late confirmation from when it was requested", async () => {
    const late = Promise.withResolvers<Touched>()
    const { signal, end } = await openRun(confirmed, () => late.promise, failed)
    await vi.advanceTimersByTimeAsync(7000)
    late.resolve({ affected: 1 })
    await vi.advanceTimersByTimeAsync(2999)
    expect(signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signal.aborted).toBe(true)
    await end()
  })

  test("is not shortened by a confirmation that comes after a later one", async () => {
    const late = Promise.withResolvers<Touched>()
    const { signal, end } = await openRun(confirmed, () => late.promise, confirmed, failed)
    await vi.advanceTimersByTimeAsync(6000)
    late.resolve({ affected: 1 })
    await vi.advanceTimersByTimeAsync(6499)
    expect(signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signal.aborted).toBe(true)
    await end()
  })

  test("aborts the run immediately when another instance has it", async () => {
    const { signal, end } = await openRun(confirmed, lost)
    await vi.advanceTimersByTimeAsync(2499)
    expect(signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signal.reason).toEqual(new Error("another instance has the claim"))
    await end()
  })

  test("leaves no deadline when a confirmation comes after the end of the run", async () => {
    const late = Promise.withResolvers<Touched>()
    const { end, timers } = await openRun(confirmed, () => late.promise)
    await vi.advanceTimersByTimeAsync(3000)
    await end()
    late.resolve({ affected: 1 })
    await vi.advanceTimersByTimeAsync(0)
    expect(timers()).toBe(0)
  })
})

describe("workers and duties", () => {
  test("each queue has a worker for each concurrent run, also when it is started twice", async () => {
    const { dispatcher, boss } = await open()
    dispatcher.work("job", 3, async () => "done")
    dispatcher.work("ingest", 1, async () => "done")
    await dispatcher.start()
    await dispatcher.start()
    // And none for duties, as there is no duty.
    expect([...boss.workers.values()].map(({ queue }) => queue)).toEqual(["job", "job", "job", "ingest"])
  })

  test("four duties run in parallel", async () => {
    const { dispatcher, boss } = await open()
    dispatcher.duty("sweep", minute, async () => undefined)
    await dispatcher.start()
    expect([...boss.workers.values()].map(({ queue }) => queue)).toEqual(Array(4).fill("duty"))
  })

  test("a duty is due after its period, and again after each run", async () => {
    const { dispatcher, boss } = await open()
    const run = vi.fn<() => Promise<void>>(async () => undefined)
    dispatcher.duty("sweep", 10 * minute, run)
    await dispatcher.start()
    expect([...boss.queued]).toEqual([["duty sweep", Date.now() + 10 * minute]])
    await boss.fetch("duty worker 1", "sweep")
    expect(run).toHaveBeenCalledTimes(1)
    expect([...boss.queued]).toEqual([["duty sweep", Date.now() + 10 * minute]])
  })

  test("each minute asks for duties, because another version may have run one that it does not know", async () => {
    const { dispatcher, boss, log } = await open()
    dispatcher.duty("sweep", 10 * minute, async () => undefined)
    await dispatcher.start()
    await boss.fetch("duty worker 1", "of another version")
    expect([...boss.queued.keys()]).toEqual(["duty sweep"])
    boss.queued.clear()
    await vi.advanceTimersByTimeAsync(minute - 1)
    expect([...boss.queued]).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect([...boss.queued]).toEqual([["duty sweep", Date.now() + 10 * minute]])
    expect([log.warn.mock.calls, log.error.mock.calls]).toEqual([[], []])
  })

  test("a minute in which duties cannot be asked for is logged, and the next one asks again", async () => {
    const { dispatcher, boss, log } = await open()
    dispatcher.duty("sweep", 10 * minute, async () => undefined)
    await dispatcher.start()
    boss.queued.clear()
    boss.executeSql.mockImplementationOnce(failed)
    await vi.advanceTimersByTimeAsync(minute)
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { err: new Error("The database is away.") },
      "duties could not be asked for",
    )
    await vi.advanceTimersByTimeAsync(minute)
    expect([...boss.queued.keys()]).toEqual(["duty sweep"])
  })
})

describe("a stop", () => {
  test("ends the runs of every queue before pg-boss, once, and asks for no duty after it", async () => {
    const { dispatcher, boss } = await open()
    dispatcher.work("job", 1, async () => "done")
    dispatcher.duty("sweep", minute, async () => undefined)
    await dispatcher.start()
    const runs = Promise.withResolvers<void>()
    boss.offWork.mockReturnValue(runs.promise)
    const stopped = dispatcher.stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(boss.offWork.mock.calls).toEqual([["job"], ["duty"]])
    expect(boss.stop).not.toHaveBeenCalled()
    runs.resolve()
    await stopped
    await dispatcher.stop()
    expect(boss.stop).toHaveBeenCalledExactlyOnceWith({ timeout: minute })
    boss.queued.clear()
    await vi.advanceTimersByTimeAsync(10 * minute)
    expect([...boss.queued]).toEqual([])
  })

  test("before the start leaves no worker to start", async () => {
    const { dispatcher, boss } = await open()
    dispatcher.work("job", 1, async () => "done")
    await dispatcher.stop()
    await dispatcher.start()
    expect(boss.workers.size).toBe(0)
  })
})

describe("pg-boss", () => {
  test("is recognisable among the connections, listens, makes no tables and has no timetable", async () => {
    const { boss } = await open()
    expect(boss.options).toMatchObject({
      connectionString: "postgres://127.0.0.1/made-up",
      application_name: "laurel dispatch",
      schema: "pgboss",
      migrate: false,
      schedule: false,
      useListenNotify: true,
    })
    expect(boss.createQueue.mock.calls.map(([name]) => name)).toEqual(["job", "ingest", "duty"])
    expect(boss.start.mock.invocationCallOrder[0]).toBeLessThan(
      boss.createQueue.mock.invocationCallOrder[0] ?? 0,
    )
  })

  test("errors are logged at most every 10 s", async () => {
    const { boss, log } = await open()
    const fail = () => boss.emit("error", new Error("connection refused"))
    fail()
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      { reason: "connection refused" },
      "The database did not answer the dispatcher.",
    )
    await vi.advanceTimersByTimeAsync(9999)
    fail()
    expect(log.warn).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    fail()
    expect(log.warn).toHaveBeenCalledTimes(2)
  })
})
