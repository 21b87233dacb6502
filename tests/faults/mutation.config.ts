import { defineConfig } from "vitest/config"

/**
 * The suites that must detect mutants: milliseconds each on a fake clock. What the adapter of pg-boss does in PostgreSQL
 * takes a second; `dispatch.test.ts` is left out, because it takes over a minute for each mutant.
 */
export default defineConfig({
  test: {
    environment: "node",
    expect: { poll: { timeout: 80_000 } },
    globalSetup: "tests/support/setup-programs.ts",
    include: [
      "core/jobs/{absence,call-outcome,job-actions,reconcile,reconcile-decision,recover,send-bulk,send-single,transitions,transitions-decided}.test.ts",
      "bff/dispatch/{pg-boss,pg-boss-tables}.test.ts",
      "tests/faults/mutation-store.ts",
    ],
    setupFiles: ["tests/support/setup-node.ts"],
  },
})
