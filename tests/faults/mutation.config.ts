import { defineConfig } from "vitest/config"

/** The suites that have to notice a changed rule of the job engine: milliseconds each, on a clock that stands still. */
export default defineConfig({
  test: {
    environment: "node",
    include: [
      "core/jobs/{absence,job-actions,outcome,reconcile,recover,send,send-bulk,transitions,transitions-decided}.test.ts",
      "tests/faults/mutation-store.ts",
    ],
    setupFiles: ["tests/support/setup-node.ts"],
  },
})
