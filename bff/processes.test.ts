import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, test } from "vitest"
import * as z from "zod/mini"
import { createProcesses, linuxStartOf } from "./processes.ts"

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

describe.runIf(process.platform === "linux")("real processes", () => {
  test("have not ended while they run, frozen or not, and have when they were killed", async () => {
    const processes = createProcesses()
    const { child, self, end } = await startOther()
    expect(processes.hasEnded(self)).toBe(false)
    child.kill("SIGSTOP")
    expect(processes.hasEnded(self)).toBe(false)
    await end()
    expect(processes.hasEnded(self)).toBe(true)
  })

  test("are not taken for an earlier one with the same id", async () => {
    const { self, end } = await startOther()
    expect(createProcesses().hasEnded({ ...self, started: "1" })).toBe(true)
    await end()
  })

  test("are not taken for ended in another container, after another boot, and with missing fields", () => {
    const processes = createProcesses()
    const { self } = processes
    expect(processes.hasEnded(self)).toBe(false)
    const { place = "" } = self
    const ended = { ...self, started: "1" }
    expect(processes.hasEnded({ ...ended, place: place.replace("pid:[", "pid:[9") })).toBe(false)
    expect(processes.hasEnded({ ...ended, place: `another ${place}` })).toBe(false)
    expect(processes.hasEnded({})).toBe(false)
    expect(processes.hasEnded({ ...ended, pid: "0" })).toBe(false)
    expect(processes.hasEnded({ ...self, started: "" })).toBe(false)
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
