import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, it } from "vitest"
import { openSandboxFile } from "./persist-file.ts"
import { ana, testClient } from "../tests/support/sandbox/client.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const award = ["POST", "/points/award", { member_id: ana, points: 7, reason: "Kept" }] as const

it("keeps what was done over a restart, with the times of the first seed", async () => {
  const path = join(folder, "sandbox.db")
  const first = testClient()
  const file = openSandboxFile(path, first.sandbox)
  const { record } = await first.program(...award)
  file.close()

  const second = testClient()
  second.time.advance(86_400_000)
  const again = openSandboxFile(path, second.sandbox)
  expect(second.sandbox.store.base).toEqual(first.sandbox.store.base)
  const [row] = (await second.program("GET", `/members/${ana}/transactions?per_page=1`)).rows
  expect(row?.["transaction_id"]).toBe(record["transaction_id"])
  again.close()
})

it("starts afresh with another member count, and after a reset", async () => {
  const path = join(folder, "sandbox.db")
  const first = testClient()
  const file = openSandboxFile(path, first.sandbox)
  await first.program(...award)
  file.save()
  first.sandbox.reset()
  file.close()

  const second = testClient()
  openSandboxFile(path, second.sandbox).close()
  expect(second.sandbox.store.ledger).toEqual([])

  const other = testClient({ members: 9 })
  openSandboxFile(path, other.sandbox).close()
  const later = testClient({ members: 9 })
  later.time.advance(1000)
  openSandboxFile(path, later.sandbox).close()
  expect(later.sandbox.store.base).toEqual(other.sandbox.store.base)
})

it("keeps what a save could not write for the next one", async () => {
  const path = join(folder, "sandbox.db")
  const first = testClient()
  const file = openSandboxFile(path, first.sandbox)
  file.save()
  await first.program(...award)
  const other = new DatabaseSync(path)
  other.exec("BEGIN IMMEDIATE")
  expect(() => file.save()).toThrow(/locked/)
  other.exec("ROLLBACK")
  other.close()
  file.close()

  const second = testClient()
  openSandboxFile(path, second.sandbox).close()
  expect(second.sandbox.store.ledger).toHaveLength(1)
})
