import { create } from "zustand"

type ShellOverlay = "palette" | "shortcuts" | "password" | null

/** The open overlay, if any. */
export const useShellOverlay = create<{ readonly overlay: ShellOverlay }>(() => ({ overlay: null }))

/** What was typed into the palette before its code was loaded. */
export const typedEarly = create(() => ({ text: "", entered: false }))

/** Name of the modifier key: the typeface has no symbol for it. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "Cmd" : "Ctrl"
