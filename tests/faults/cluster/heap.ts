import { z } from "zod"

/** Variables of a process whose heap `readLiveHeap` reads: the inspector on a free port of this machine. */
export const inspected = { NODE_OPTIONS: "--inspect=127.0.0.1:0" }

/** How long a process may take to collect its garbage, ms. */
const longestCollectMs = 20_000

const reply = z.object({ id: z.number(), result: z.object({ usedSize: z.number().optional() }) })

/**
 * Collects all garbage of a process and returns the bytes that are still in use: what is left is what the process needs,
 * or leaks. `output`: of the process since its start. @throws Error if the process does not reply
 */
export async function readLiveHeap(output: string): Promise<number> {
  const url = /^Debugger listening on (\S+)$/m.exec(output)?.[1]
  if (url === undefined) throw new Error("The process runs without an inspector.")
  const socket = new WebSocket(url)
  try {
    return await new Promise<number>((resolve, reject) => {
      AbortSignal.timeout(longestCollectMs).addEventListener("abort", () =>
        reject(new Error(`No reply within ${longestCollectMs / 1000} s.`)),
      )
      socket.addEventListener("error", () => reject(new Error("The inspector cannot be reached.")))
      socket.addEventListener("open", () => {
        socket.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }))
        socket.send(JSON.stringify({ id: 2, method: "Runtime.getHeapUsage" }))
      })
      socket.addEventListener("message", ({ data }) => {
        const { success, data: received } = reply.safeParse(JSON.parse(String(data)))
        if (success && received.result.usedSize !== undefined) resolve(received.result.usedSize)
      })
    })
  } finally {
    socket.close()
  }
}
