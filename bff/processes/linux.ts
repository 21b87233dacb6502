import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import type { Place, ProcessTable } from "./process-table.ts"

// The kernel gives the first namespace of each kind the same number everywhere.
const firstPidNamespace = "pid:[4026531836]"
const firstNameNamespace = "uts:[4026531838]"

/** Processes of this Linux, as `/proc` shows them. */
export function linuxProcesses(): ProcessTable {
  return {
    place: placeHere(),
    started: (pid) => linuxStartOf(textOr("", () => readFileSync(`/proc/${pid}/stat`, "utf8"))),
  }
}

function placeHere(): Place {
  const pids = textOr("", () => readlinkSync("/proc/self/ns/pid"))
  const names = textOr("", () => readlinkSync("/proc/self/ns/uts"))
  // Start times are shown on the clock of the reader's time namespace. Kernels before 5.6 have none.
  const times = textOr("", () => readlinkSync("/proc/self/ns/time"))
  const isHost = pids === firstPidNamespace && names === firstNameNamespace
  const id = textOr("", () => readFileSync("/etc/machine-id", "utf8").trim())
  return {
    machine: isHost && id !== "" ? `${id} ${hostname()}` : "",
    boot: textOr("", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: pids === "" ? "" : `${pids} ${times}`.trim(),
  }
}

/**
 * Start time from a line of `/proc/<pid>/stat`, in the kernel's ticks since boot; `ended` for a process whose every
 * thread has ended and that only waits to be noticed by its parent.
 */
export function linuxStartOf(stat: string): string | undefined {
  // The name stands in parentheses and may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [state, threads, start] = [fields[0], fields[17], fields[19]]
  if (start === undefined || !/^\d+$/.test(start)) return undefined
  if (state === "X") return "ended"
  return state === "Z" && Number(threads) <= 1 ? "ended" : start
}

function textOr(otherwise: string, read: () => string): string {
  try {
    return read()
  } catch {
    return otherwise
  }
}
