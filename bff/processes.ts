import { execFileSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import type { Processes } from "../core/ports.ts"

/** Where processes run: two of the same place can be told apart by process id and start time. */
interface Place {
  /**
   * The machine, if it is certain that no other one calls itself the same; otherwise empty. In a container it is
   * empty: machine id and host name come with the image and the set-up there.
   */
  readonly machine: string
  /** One run of the machine's kernel. */
  readonly boot: string
  /** Processes see each other's ids only within one of these. */
  readonly namespace: string
}

export interface ProcessTable {
  readonly place: Place
  /** When a process started, as a text to compare; `ended` for one that can do nothing any more; undefined: not seen. */
  started(pid: number): string | undefined
}

/** A machine does not start again within this time, in ms; heartbeats come more often. */
const rebootMs = 15_000

/**
 * This process, and what is known about others from here. `gone` is returned only when it is proven: a row is sent
 * again on the strength of it (docs/jobs.md).
 */
export function createProcesses(
  table: ProcessTable | undefined = tableHere(),
  options: Pick<Processes, "alone"> = {},
): Processes {
  const self = { pid: String(process.pid), ...table?.place, started: table?.started(process.pid) ?? "" }
  return {
    self,
    ...options,
    async look({ machine = "", boot = "", namespace = "", pid = "", started = "" }, silentMs) {
      if (table === undefined || machine !== table.place.machine) return "unknown"
      if (boot === "" || table.place.boot === "") return "unknown"
      // A machine runs once at a time, unless two were cloned with one id: the other one then still has a heartbeat.
      if (boot !== table.place.boot) return machine === "" || silentMs < rebootMs ? "unknown" : "gone"
      if (namespace === "" || namespace !== table.place.namespace) return "unknown"
      if (!/^[1-9]\d*$/.test(pid) || started === "") return "unknown"
      return lookHere(table, Number(pid), started)
    },
  }
}

/** What is known about a process of this machine and namespace. */
function lookHere(table: ProcessTable, pid: number, started: string): "running" | "gone" | "unknown" {
  if (!exists(pid)) return "gone"
  const startedNow = table.started(pid)
  if (startedNow === started) return "running"
  // It ended, or its id belongs to a later process now.
  if (startedNow !== undefined) return "gone"
  // It ended between the two checks, or it is hidden from this user.
  return exists(pid) ? "unknown" : "gone"
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH")
  }
}

function tableHere(): ProcessTable | undefined {
  if (process.platform === "linux") return linuxProcesses()
  return process.platform === "darwin" ? macProcesses() : undefined
}

// The kernel gives the first namespace of each kind the same number everywhere.
const firstPidNamespace = "pid:[4026531836]"
const firstNameNamespace = "uts:[4026531838]"

function linuxProcesses(): ProcessTable {
  const pids = textOrEmpty(() => readlinkSync("/proc/self/ns/pid"))
  const names = textOrEmpty(() => readlinkSync("/proc/self/ns/uts"))
  // Start times are shown on the clock of the reader's time namespace. Kernels before 5.6 have none.
  const times = textOrEmpty(() => readlinkSync("/proc/self/ns/time"))
  const isHost = pids === firstPidNamespace && names === firstNameNamespace
  const id = textOrEmpty(() => readFileSync("/etc/machine-id", "utf8").trim())
  return {
    place: {
      machine: isHost && id !== "" ? `${id} ${hostname()}` : "",
      boot: textOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
      namespace: pids === "" ? "" : `${pids} ${times}`.trim(),
    },
    started: (pid) => linuxStartOf(textOrEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"))),
  }
}

/**
 * Start time from a line of `/proc/<pid>/stat`, in the kernel's ticks since boot; `ended` for a process whose every
 * thread has ended and that only waits to be noticed by its parent.
 */
export function linuxStartOf(stat: string): string | undefined {
  // The name is in parentheses and can contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [state, threads, start] = [fields[0], fields[17], fields[19]]
  if (start === undefined || !/^\d+$/.test(start)) return undefined
  if (state === "X") return "ended"
  return state === "Z" && Number(threads) <= 1 ? "ended" : start
}

function macProcesses(): ProcessTable {
  const platform = outputOf("ioreg", "-rd1", "-c", "IOPlatformExpertDevice")
  const machine = /"IOPlatformUUID" = "([^"]+)"/.exec(platform)?.[1]
  return {
    place: {
      machine: machine === undefined ? "" : `${machine} ${hostname()}`,
      boot: outputOf("sysctl", "-n", "kern.bootsessionuuid").trim(),
      // There are no namespaces: every process sees every other.
      namespace: "all",
    },
    started: (pid) => macStartOf(outputOf("ps", "-o", "stat=,lstart=", "-p", String(pid))),
  }
}

/** Start time from `ps -o stat=,lstart=`; `ended` for a process that only waits to be noticed by its parent. */
export function macStartOf(output: string): string | undefined {
  const [state, ...start] = output.trim().split(/\s+/)
  if (state === undefined || start.length === 0) return undefined
  return state.startsWith("Z") ? "ended" : start.join(" ")
}

function outputOf(command: string, ...given: string[]): string {
  // The start is written as a date: always in the same language and time zone.
  const env = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }
  const stdio = ["ignore", "pipe", "ignore"] as const
  return textOrEmpty(() =>
    execFileSync(command, given, { env, timeout: 5_000, encoding: "utf8", stdio: [...stdio] }),
  )
}

function textOrEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ""
  }
}
