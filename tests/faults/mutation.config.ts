import { defineConfig } from "vitest/config"

/** The suites that must detect mutants: milliseconds each on a fake clock, but for those of the dispatcher. */
export default defineConfig({
  test: {
    environment: "node",
    expect: { poll: { timeout: 80_000 } },
    globalSetup: "tests/support/setup-programs.ts",
    include: [
      "core/jobs/{absence,call-outcome,job-actions,reconcile,reconcile-decision,recover,send-bulk,send-single,transitions,transitions-decided}.test.ts",
      "tests/faults/mutation-store.ts",
      "tests/faults/dispatch.test.ts",
    ],
    setupFiles: ["tests/support/setup-node.ts"],
  },
})
