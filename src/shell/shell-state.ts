import { externalValue } from "../lib/external-value.ts"

type ShellOverlay = "palette" | "shortcuts" | "password" | null

/** The open overlay, if any. */
export const overlay = externalValue<ShellOverlay>(null)

/** Name of the modifier key: the typeface has no symbol for it. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "Cmd" : "Ctrl"
