import type { Processes } from "../core/ports.ts"
import { linuxProcesses } from "./processes/linux.ts"
import { macProcesses } from "./processes/mac.ts"
import type { ProcessTable } from "./processes/process-table.ts"

/**
 * This process, and what can be told about others from here. `gone` is said only when it is proven: a row is sent
 * again on the strength of it (docs/decisions/0002-money.md).
 */
export function createProcesses(table: ProcessTable | undefined = tableHere()): Processes {
  const self = { pid: String(process.pid), ...table?.place, started: table?.started(process.pid) ?? "" }
  return {
    self,
    async look({ machine = "", boot = "", namespace = "", pid = "", started = "" }) {
      if (table === undefined || machine !== table.place.machine) return "unknown"
      if (boot === "" || table.place.boot === "") return "unknown"
      // A machine runs once at a time, if it is certain that it is the same one.
      if (boot !== table.place.boot) return machine === "" ? "unknown" : "gone"
      if (namespace === "" || namespace !== table.place.namespace) return "unknown"
      if (!/^[1-9]\d*$/.test(pid) || started === "") return "unknown"
      return lookAt(table, Number(pid), started)
    },
  }
}

function lookAt(table: ProcessTable, pid: number, started: string): "running" | "gone" | "unknown" {
  if (!exists(pid)) return "gone"
  const startedNow = table.started(pid)
  if (startedNow === started) return "running"
  // It ended, or its id belongs to a later process now.
  if (startedNow !== undefined) return "gone"
  // It ended between the two looks, or it is hidden from this user.
  return exists(pid) ? "unknown" : "gone"
}

/** Whether there is a process with this id, hidden ones too. */
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
