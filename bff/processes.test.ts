import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, test } from "vitest"
import * as z from "zod/mini"
import { createProcesses, linuxStartOf, macStartOf, type ProcessTable } from "./processes.ts"

const place = { machine: "m1 app", boot: "b1", namespace: "pid:[1]" }
const table: ProcessTable = { place, started: (pid) => (pid === process.pid ? "900" : undefined) }

/** A process that says who it is and then waits. */
async function startOther() {
  const script = `
    import { createProcesses } from "./bff/processes.ts"
    process.stdout.write(JSON.stringify(createProcesses().self))
    setInterval(() => {}, 60_000)`
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [said]: unknown[] = await once(child.stdout, "data")
  const self = z.record(z.string(), z.string()).parse(JSON.parse(String(said)))
  const end = async () => {
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }
  return { child, self, end }
}

describe.runIf(process.platform === "linux" || process.platform === "darwin")("real processes", () => {
  test("run while they run, frozen or not, and are gone when they were killed", async () => {
    const processes = createProcesses()
    const { child, self, end } = await startOther()
    expect(await processes.look(self, 60_000)).toBe("running")
    child.kill("SIGSTOP")
    expect(await processes.look(self, 60_000)).toBe("running")
    await end()
    expect(await processes.look(self, 60_000)).toBe("gone")
  })

  test("are not taken for an earlier one with the same id", async () => {
    const { self, end } = await startOther()
    expect(await createProcesses().look({ ...self, started: "1" }, 60_000)).toBe("gone")
    await end()
  })

  test("know themselves, and report nothing about missing fields", async () => {
    const processes = createProcesses()
    expect(await processes.look(processes.self, 60_000)).toBe("running")
    expect(await processes.look({}, 60_000)).toBe("unknown")
    expect(await processes.look({ ...processes.self, pid: "0" }, 60_000)).toBe("unknown")
    expect(await processes.look({ ...processes.self, started: "" }, 60_000)).toBe("unknown")
  })
})

describe("what can be told from here", () => {
  const here = createProcesses(table)

  test("a machine that was started again ended every process", async () => {
    expect(await here.look({ ...here.self, boot: "b0" }, 60_000)).toBe("gone")
  })

  test("a machine whose instance still has a heartbeat was not started again: two have one id", async () => {
    expect(await here.look({ ...here.self, boot: "b0" }, 4_000)).toBe("unknown")
  })

  test("another machine, another container and an unseen process are not known", async () => {
    expect(await here.look({ ...here.self, machine: "m2 app", boot: "b0" }, 60_000)).toBe("unknown")
    expect(await here.look({ ...here.self, namespace: "pid:[2]" }, 60_000)).toBe("unknown")
    expect(await here.look({ ...here.self, pid: String(process.ppid) }, 60_000)).toBe("unknown")
  })

  test("containers with one name may be on two machines: another boot proves nothing", async () => {
    const container = createProcesses({ ...table, place: { ...place, machine: "" } })
    expect(await container.look({ ...container.self, boot: "b0" }, 60_000)).toBe("unknown")
    expect(await container.look(container.self, 60_000)).toBe("running")
  })

  test("a machine that does not tell its boot tells nothing", async () => {
    const silent = createProcesses({ ...table, place: { ...place, boot: "" } })
    expect(await silent.look(silent.self, 60_000)).toBe("unknown")
    expect(await silent.look({ ...silent.self, boot: "b0" }, 60_000)).toBe("unknown")
  })
})

test("start times are read from the kernel's line, whatever a process is called", () => {
  const line = (state: string, threads: number) =>
    `17 (node) S (x) ${state} 1 17 17 0 -1 4194560 1 0 0 0 5 2 0 0 20 0 ${threads} 0 8841234 1 2 3`
  expect(linuxStartOf(line("S", 11))).toBe("8841234")
  expect(linuxStartOf(line("Z", 1))).toBe("ended")
  expect(linuxStartOf(line("Z", 3))).toBe("8841234")
  expect(linuxStartOf("")).toBeUndefined()
})

test("start times are read from ps", () => {
  expect(macStartOf("S+   Fri Nov 20 09:15:02 2026    \n")).toBe("Fri Nov 20 09:15:02 2026")
  expect(macStartOf("Z+   Fri Nov 20 09:15:02 2026    \n")).toBe("ended")
  expect(macStartOf("")).toBeUndefined()
})
