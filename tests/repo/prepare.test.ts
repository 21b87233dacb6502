import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as z from "zod/mini"

const scripts = join(import.meta.dirname, "../../scripts")

test("a backup and a move install nothing: Laurel may be running from the same folder", () => {
  const { scripts: known } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(scripts, "../package.json"), "utf8")))
  for (const name of ["backup", "move-store"]) {
    expect(known).toHaveProperty(name)
    expect(known).not.toHaveProperty(`pre${name}`)
  }
})

test.runIf(process.platform !== "win32").each([
  ["a folder", (lock: string) => mkdirSync(lock)],
  ["an empty file", (lock: string) => writeFileSync(lock, "")],
  ["a file of another program", (lock: string) => writeFileSync(lock, "something else")],
])("the preparation ignores %s in place of its lock", (_what, obstruct) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "laurel-prepare-")))
  try {
    cpSync(scripts, join(root, "scripts"), { recursive: true })
    for (const folder of ["node_modules", "bin", "tmp"]) mkdirSync(join(root, folder))
    for (const file of ["package.json", "package-lock.json"]) writeFileSync(join(root, file), "{}")
    writeFileSync(join(root, "bin/npm"), "#!/bin/sh\nexit 0\n", { mode: 0o755 })
    const name = createHash("sha256").update(`${root}/`).digest("hex").slice(0, 12)
    obstruct(join(root, "tmp", `laurel-preparing-${name}`))
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/prepare.mjs")], {
      env: { PATH: `${join(root, "bin")}:${process.env.PATH ?? ""}`, TMPDIR: join(root, "tmp") },
      encoding: "utf8",
      timeout: 60_000,
    })
    expect([status, stderr]).toEqual([0, ""])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
