import { create } from "zustand"

type ShellOverlay = "palette" | "shortcuts" | "password" | null

/** The open overlay, if any. */
export const useShellOverlay = create<{ readonly overlay: ShellOverlay }>(() => ({ overlay: null }))

/**
 * The text of the palette, also while its code is being loaded: no key is lost in between. `entered`: Enter was pressed
 * for this text, and opens the first result once it is known.
 */
export const usePaletteText = create(() => ({ text: "", entered: false }))

/** Name of the modifier key: the typeface has no symbol for it. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "Cmd" : "Ctrl"
