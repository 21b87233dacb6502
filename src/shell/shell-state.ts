import { externalValue } from "../lib/external-value.ts"

type ShellOverlay = "palette" | "shortcuts" | "password" | null

/** The open part, if any; one at a time. */
export const overlay = externalValue<ShellOverlay>(null)

/** The key held with a letter, in words: our typeface has no sign for it. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "Cmd" : "Ctrl"
