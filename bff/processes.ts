import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import type { Processes } from "../core/ports.ts"

/**
 * This process, and what is known about others from here. `gone` is returned only when it is proven: a row is sent
 * again on the strength of it (docs/jobs.md, Whether a call has ended).
 */
export function createProcesses({
  instanceId,
  ...options
}: Pick<Processes, "alone"> & { readonly instanceId?: string | undefined } = {}): Processes {
  // Two processes see each other under one kernel, in one namespace of process ids. Elsewhere than on Linux: unknown.
  const [boot, ids] = [read("/proc/sys/kernel/random/boot_id"), linkOf("/proc/self/ns/pid")]
  // Start times are shown on the clock of the reader's time namespace. Kernels before 5.6 have none.
  const place = boot === "" || ids === "" ? "" : `${boot} ${ids} ${linkOf("/proc/self/ns/time")}`
  const started = linuxStartOf(read(`/proc/${process.pid}/stat`)) ?? ""
  const self = { host: hostname(), pid: String(process.pid), place, started }
  return {
    self: instanceId === undefined ? self : { ...self, instance: instanceId },
    ...options,
    async look(other) {
      const pid = Number(other["pid"])
      if (place === "" || other["place"] !== place || !(pid > 0) || !other["started"]) return "unknown"
      if (!exists(pid)) return "gone"
      const startedNow = linuxStartOf(read(`/proc/${pid}/stat`))
      // Another time: it ended, or its id belongs to a later process now.
      if (startedNow !== undefined) return startedNow === other["started"] ? "running" : "gone"
      // It ended between the two checks, or it is hidden from this user.
      return exists(pid) ? "unknown" : "gone"
    },
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH")
  }
}

/**
 * Start time from a line of `/proc/<pid>/stat`, in the kernel's ticks since boot; `ended` for a process whose every
 * thread has ended and that only waits to be noticed by its parent.
 */
export function linuxStartOf(stat: string): string | undefined {
  // The name is in parentheses and can contain blanks and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [threads, start] = [fields[16], fields[18]]
  if (start === undefined || !/^\d+$/.test(start)) return undefined
  return state === "X" || (state === "Z" && Number(threads) <= 1) ? "ended" : start
}

const read = (file: string) => textOrEmpty(() => readFileSync(file, "utf8").trim())
const linkOf = (file: string) => textOrEmpty(() => readlinkSync(file))

function textOrEmpty(text: () => string): string {
  try {
    return text()
  } catch {
    return ""
  }
}
