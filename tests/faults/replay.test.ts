import { beforeEach, it } from "vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { digestAtOnce } from "./in-process.ts"
import { playSequence } from "./sequence.ts"
beforeEach(digestAtOnce)
it("replays", { timeout: 60_000 }, async () => {
  const text = readFileSync(process.env["REPLAY"] ?? "/tmp/proof/explore.txt", "utf8")
  const line = text.split("\n").find((one) => one.startsWith("Counterexample: "))
  const [sequence] = JSON.parse((line ?? "").slice("Counterexample: ".length))
  const log: string[] = []
  const end = await playSequence(sequence, {}, (line: string) => log.push(line)).catch((e) => e)
  writeFileSync("/tmp/proof/replay.txt", log.join("\n") + "\n" + (end instanceof Error ? end.message : JSON.stringify(end, null, 1)))
})
