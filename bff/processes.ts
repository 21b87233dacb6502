import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import type { Processes } from "../core/ports.ts"

/** This process, and whether others on this machine have ended (docs/jobs.md, Whether a call has ended). */
export function createProcesses({
  instanceId,
  ...options
}: Pick<Processes, "alone"> & { readonly instanceId?: string | undefined } = {}): Processes {
  // Two processes see each other under one kernel, in one namespace of process ids. Elsewhere than on Linux: unknown.
  const [boot, ids] = [textOf("/proc/sys/kernel/random/boot_id"), textOf("/proc/self/ns/pid", readlinkSync)]
  // Start times are shown on the clock of the reader's time namespace. Kernels before 5.6 have none.
  const place =
    boot === "" || ids === "" ? "" : `${boot} ${ids} ${textOf("/proc/self/ns/time", readlinkSync)}`
  const started = linuxStartOf(textOf(`/proc/${process.pid}/stat`)) ?? ""
  const self = { host: hostname(), pid: String(process.pid), place, started }
  return {
    self: instanceId === undefined ? self : { ...self, instance: instanceId },
    ...options,
    hasEnded(other) {
      const pid = Number(other["pid"])
      if (place === "" || other["place"] !== place || !(pid > 0) || !other["started"]) return false
      const startedNow = linuxStartOf(textOf(`/proc/${pid}/stat`))
      // Another time: its id belongs to a later process now. None: it ended, or it is hidden from this user.
      return startedNow === undefined ? !exists(pid) : startedNow !== other["started"]
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

/** Empty where there is no such file, as elsewhere than on Linux. */
function textOf(file: string, read = (name: string) => readFileSync(name, "utf8")): string {
  try {
    return read(file).trim()
  } catch {
    return ""
  }
}
