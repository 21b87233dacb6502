import { spawn, type ChildProcess } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { compiledCode } from "./compiled-code.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A program of this project in its own process. */
export interface Child {
  readonly process: ChildProcess
  /** stdout and stderr so far. */
  output(): string
  stop(): Promise<void>
}

/**
 * Runs `node <file>` in the project root and resolves when its output matches `ready`. Throws with the output if the
 * process exits first. `within`: a wrapper command such as `unshare`; `flags`: of Node.
 */
export async function startChild(
  file: string,
  env: Record<string, string>,
  ready: RegExp,
  within: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Child> {
  const [command, ...args] = [...within, process.execPath, ...flags, file]
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: process.env.TZ, ...compiledCode, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  let isReady = false
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString()
      // Stop matching once ready: the output keeps growing, and rescanning it would distort benchmarks.
      isReady ||= ready.test(output)
      if (isReady) resolve()
    }
    child.stdout.on("data", onOutput)
    child.stderr.on("data", onOutput)
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

/** Below the ephemeral port range, so no outgoing connection takes one. */
const ports = { first: 12_000, count: 18_000 }

/** A port that was free when checked; random, so that parallel tests rarely pick the same one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.first + Math.floor(Math.random() * ports.count)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", (error) => {
      if ("code" in error && error.code === "EADDRINUSE") resolve(false)
      else reject(error)
    })
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
}
