import { execFileSync } from "node:child_process"
import { hostname } from "node:os"
import type { ProcessTable } from "./process-table.ts"

// The start is written as a date: always in the same language and time zone.
const options = { env: { LC_ALL: "C", TZ: "UTC", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }, timeout: 5_000 }

/** Processes of this Mac, as `ps` shows them. */
export function macProcesses(): ProcessTable {
  const machine = /"IOPlatformUUID" = "([^"]+)"/.exec(
    answerOf("ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]),
  )?.[1]
  return {
    place: {
      machine: machine === undefined ? "" : `${machine} ${hostname()}`,
      boot: answerOf("sysctl", ["-n", "kern.bootsessionuuid"]).trim(),
      // There are no namespaces: every process sees every other.
      namespace: "all",
    },
    started: (pid) => macStartOf(answerOf("ps", ["-o", "stat=,lstart=", "-p", String(pid)])),
  }
}

/** Start time from `ps -o stat=,lstart=`; `ended` for a process that only waits to be noticed by its parent. */
export function macStartOf(answer: string): string | undefined {
  const [state, ...start] = answer.trim().split(/\s+/)
  if (state === undefined || start.length === 0) return undefined
  return state.startsWith("Z") ? "ended" : start.join(" ")
}

function answerOf(command: string, given: readonly string[]): string {
  try {
    return execFileSync(command, given, { ...options, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  } catch {
    return ""
  }
}
