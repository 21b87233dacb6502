import { defineConfig } from "vitest/config"

/** The suites that must detect mutants of the job engine: milliseconds each, on a fake clock. */
export default defineConfig({
  test: {
    environment: "node",
    include: [
      "core/jobs/{absence,job-actions,outcome,reconcile,reconcile-decision,recover,send-bulk,send-single,transitions,transitions-decided}.test.ts",
      "tests/faults/mutation-store.ts",
    ],
    setupFiles: ["tests/support/setup-node.ts"],
  },
})
