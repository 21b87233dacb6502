import { spawn, type ChildProcess } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A program of this project running as a process of its own. */
export interface Child {
  readonly process: ChildProcess
  /** Everything it wrote so far. */
  output(): string
  stop(): Promise<void>
}

/**
 * Starts `node <file>` from the project's root and resolves when its output matches `ready`.
 * Throws with the output if it ends before that.
 */
export async function startChild(file: string, env: Record<string, string>, ready: RegExp): Promise<Child> {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: process.env.TZ, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk.toString()
      if (ready.test(output)) resolve()
    }
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code ?? "a signal"}:\n${output}`)))
  })
  return {
    process: child,
    output: () => output,
    async stop() {
      child.kill("SIGTERM")
      await ended
    },
  }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
