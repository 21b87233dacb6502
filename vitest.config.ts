import { availableParallelism } from "node:os"
import react from "@vitejs/plugin-react"
import { defineConfig } from "vitest/config"

/** A verdict must not depend on the machine's speed: what is polled may take as long as a test may. */
const expect = { poll: { timeout: 80_000 } }

/**
 * Two projects: what runs on Node (contract, BFF, sandbox, whole-server tests) and what needs a document.
 * The real-browser suite is Playwright's, in tests/e2e.
 */
export default defineConfig({
  test: {
    // Half of the time is waiting (for settle times, killed processes, a document that draws): no core is kept free.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          name: "node",
          environment: "node",
          expect,
          include: [
            "{contract,core,bff,sandbox}/**/*.test.ts",
            "src/**/*.test.ts",
            "tests/{contract,http,faults,repo,store}/**/*.test.ts",
          ],
          setupFiles: ["tests/support/setup-node.ts"],
        },
      },
      {
        plugins: [react()],
        test: {
          name: "dom",
          environment: "jsdom",
          expect,
          include: ["src/**/*.test.tsx"],
          setupFiles: ["tests/support/setup-node.ts", "tests/support/setup-dom.ts"],
        },
      },
    ],
  },
})
