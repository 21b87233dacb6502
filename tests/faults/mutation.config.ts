import { defineConfig } from "vitest/config"

/** The suites that have to notice a changed rule of the job engine: those that take milliseconds each. */
export default defineConfig({
  test: {
    environment: "node",
    include: [
      "core/jobs/{absence,correlation-tags,outcome,restore,run}.test.ts",
      "tests/faults/safeguards.test.ts",
    ],
    setupFiles: ["tests/support/setup-node.ts"],
  },
})
