/**
 * The cheap checks, each with its verdict: types, lint with the direction of imports, format, unused code, size of
 * files. Ends with exit code 1 if one of them found something.
 */
import { spawnSync } from "node:child_process"

interface Check {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

const checks: readonly Check[] = [
  { name: "types, browser side", command: "tsc", args: ["-p", "tsconfig.json"] },
  { name: "types, server side and tests", command: "tsc", args: ["-p", "tsconfig.node.json"] },
  { name: "lint and direction of imports", command: "oxlint", args: ["--type-aware", "--deny-warnings"] },
  { name: "format", command: "prettier", args: ["--check", "--log-level=warn", "."] },
  { name: "unused code", command: "knip", args: [] },
  { name: "the repository's own rules", command: "vitest", args: ["run", "tests/repo", "--reporter=dot"] },
]

let bad = 0
for (const check of checks) {
  const started = performance.now()
  const done = spawnSync(check.command, check.args, { encoding: "utf8" })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const fine = done.status === 0
  process.stdout.write(`${fine ? "fine  " : "FOUND "} ${check.name} (${seconds} s)\n`)
  if (!fine) {
    bad += 1
    process.stdout.write(
      `${done.stdout ?? ""}${done.stderr ?? ""}${done.error ? `${done.error.message}\n` : ""}`,
    )
  }
}
process.exitCode = bad === 0 ? 0 : 1
