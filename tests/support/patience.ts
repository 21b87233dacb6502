import { vi } from "vitest"

// Whole servers start and stop in these tests: on a busy machine that takes longer than a unit test may.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })
