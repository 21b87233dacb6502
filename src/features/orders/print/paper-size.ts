import { externalValue, keepChoice, readChoice } from "../../../lib/external-value.ts"

const sizes = ["a4", "letter"] as const
/** Paper in the printer. */
export type PaperSize = (typeof sizes)[number]

const key = "laurel-paper"

/** The paper of this browser's printer. */
export const paperSize = externalValue<PaperSize>(readChoice(key, sizes, "a4"))

/** Changes it here and for the next visit. */
export function setPaperSize(size: PaperSize): void {
  paperSize.set(size)
  keepChoice(key, size)
}
