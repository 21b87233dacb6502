import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { compiledCode } from "./compiled-code.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Runs `node <file> <args>` in the project root until it exits. */
export function runToEnd(
  file: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...compiledCode, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, output }))
  })
}
