import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { quietLog } from "../../tests/support/quiet-log.ts"
import { testPlaces } from "../../tests/support/test-stores.ts"
import { type CopiesUnderTest, describeCopy } from "../../tests/store/copy-suite.ts"
import { describeLedgerCopy } from "../../tests/store/ledger-copy-suite.ts"
import { describeOrderCopy } from "../../tests/store/order-copy-suite.ts"
import { describeReportCopy } from "../../tests/store/report-copy-suite.ts"
import { describeRewardCopy } from "../../tests/store/reward-copy-suite.ts"
import { openEngine, type StorePlace } from "../store/open-store.ts"
import { openCopy } from "./open-copy.ts"

const { newFile, newDatabase } = testPlaces()

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "laurel-copy-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function open(place: StorePlace, sync: "store" | "memory" | "off", dataDir = newFolder()) {
  const engine = await openEngine(place, quietLog)
  const copy = await openCopy(engine, { dataDir, environment: "production", sync }, quietLog)
  const close = async () => {
    await copy?.close()
    await engine.close()
  }
  return { copy, close, dataDir }
}

async function two(place: StorePlace, sync: "store" | "memory") {
  const dataDir = mkdtempSync(join(tmpdir(), "laurel-copy-"))
  const [first, second] = [
    await open(place, sync, dataDir),
    "file" in place ? undefined : await open(place, sync, dataDir),
  ]
  const one = first.copy
  const other = (second ?? first).copy
  if (one === undefined || other === undefined) throw new Error("The copy is off.")
  const close = async () => {
    await first.close()
    await second?.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { one, other, close }
}

const places: readonly [string, () => Promise<CopiesUnderTest>][] = [
  ["a file", async () => two(await newFile(), "store")],
  ["memory", async () => two(await newFile(), "memory")],
  ["PostgreSQL", async () => two(await newDatabase(), "store")],
]
for (const [name, openTwo] of places) {
  describeCopy(name, openTwo)
  describeOrderCopy(name, openTwo)
  describeRewardCopy(name, openTwo)
  describeLedgerCopy(name, openTwo)
  describeReportCopy(name, openTwo)
}

test("the copy has a separate file, and none with SYNC=off", async () => {
  const stored = await open(await newFile(), "store")
  expect(existsSync(join(stored.dataDir, "laurel-copy.db"))).toBe(true)
  await stored.close()
  const off = await open(await newFile(), "off")
  expect([off.copy, existsSync(join(off.dataDir, "laurel-copy.db"))]).toEqual([undefined, false])
  await off.close()
})

test("a damaged file is replaced by an empty one", async () => {
  const dataDir = newFolder()
  writeFileSync(join(dataDir, "laurel-copy.db"), "no database ".repeat(1000))
  const { copy, close } = await open(await newFile(), "store", dataDir)
  expect(await copy?.members.count()).toBe(0)
  await close()
})
