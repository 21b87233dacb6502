import { useEffect, useState } from "react"

/** What became of copying, in words. */
type CopyWords = "Copied" | "Couldn’t copy: select it instead"

/** How long it is said, in ms. */
const spoken = 1500

/** Copies a text, and says for a moment what became of it. */
export function useCopy(text: string): { said: CopyWords | null; copy: () => void } {
  const [said, setSaid] = useState<CopyWords | null>(null)
  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), spoken)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid("Copied")
    } catch {
      // Browsers refuse outside a secure page; the text can still be selected.
      setSaid("Couldn’t copy: select it instead")
    }
  }
  return { said, copy: () => void copy() }
}
