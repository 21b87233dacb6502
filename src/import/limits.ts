import { limits } from "../../contract/limits.ts"

/** Bounds of a file that can be read. Ours: beyond them a browser tab is no longer quick. */
export const importLimits = {
  /** Size of a file, and of a pasted text, in bytes. */
  bytes: 30_000_000,
  columns: 100,
  rows: limits.jobRows,
  /** Characters in one cell. */
  cell: 10_000,
} as const
