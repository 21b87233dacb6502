import { globSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** A verdict must not depend on the machine's speed: what is polled may take as long as a test may. */
const expect = { poll: { timeout: 80_000 } }

const onNode = [
  "{contract,core,bff,sandbox}/**/*.test.ts",
  "src/**/*.test.ts",
  "tests/{contract,http,faults,repo,store}/**/*.test.ts",
]
const inDocument = ["src/**/*.test.tsx"]
const forNode = ["tests/support/setup-node.ts"]
const forDocument = [...forNode, "tests/support/setup-dom.ts"]

/** A file that replaces modules has modules of its own; all others share them, which saves half of the time. */
const replacing = globSync([...onNode, ...inDocument]).filter((file) =>
  /\bvi\.(mock|doMock)\(/.test(readFileSync(file, "utf8")),
)

function project(name: string, files: readonly string[], shared: boolean) {
  const dom = files === inDocument
  return {
    plugins: dom ? [react()] : [],
    test: {
      name,
      environment: dom ? "jsdom" : "node",
      expect,
      include: shared ? [...files] : replacing.filter((file) => file.endsWith(".tsx") === dom),
      exclude: shared ? ["node_modules/**", ...replacing] : [],
      setupFiles: dom ? forDocument : forNode,
      isolate: !shared,
    },
  }
}

const isLong = ({ moduleId }: TestSpecification) => Number(/\/tests\/(faults|http)\//.test(moduleId))

/** Whole servers and simulations begin first: they mostly wait, and everything else fits in between. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => isLong(other) - isLong(one))
  }
}

/**
 * What runs on Node (contract, BFF, sandbox, whole-server tests) and what needs a document. The real-browser suite is
 * Playwright's, in tests/e2e.
 */
export default defineConfig({
  test: {
    // Half of the time is waiting (for settle times, killed processes, a document that draws): no core is kept free.
    globalSetup: "tests/support/setup-programs.ts",
    sequence: { sequencer: LongFirst },
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() * 1.5)),
    projects: [
      project("node", onNode, true),
      project("node, own modules", onNode, false),
      project("dom", inDocument, true),
      project("dom, own modules", inDocument, false),
    ],
  },
})
