import { externalValue } from "../lib/external-value.ts"

/** What of the shell is open over the page. */
export type ShellOverlay = "palette" | "shortcuts" | "password" | null

/** The open part, if any; one at a time. */
export const overlay = externalValue<ShellOverlay>(null)
