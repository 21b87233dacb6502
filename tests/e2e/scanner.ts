import type { CDPSession, Page } from "@playwright/test"

/** A barcode scanner that types into a page. */
export interface Scanner {
  /** Types a code as a scanner does, without pauses. `ends`: whether Enter follows. */
  scan(code: string, ends: "enter" | "nothing"): Promise<void>
}

/** Minimum time between two labels, in ms. */
const handFrom = 400

/** Time between two keys of a scanner, in ms. */
const keyEvery = 4

/**
 * Connects a scanner. Its keys have a scanner's timestamps and are sent in one go, so that a busy machine does not
 * make them look typed.
 */
export async function plugScanner(page: Page): Promise<Scanner> {
  const session: CDPSession = await page.context().newCDPSession(page)
  page.on("close", () => void session.detach().catch(() => {}))
  const press = (key: string, text: string, timestamp: number) => [
    session.send("Input.dispatchKeyEvent", { type: "keyDown", key, text, unmodifiedText: text, timestamp }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", key, timestamp }),
  ]
  return {
    async scan(code, ends) {
      await page.waitForTimeout(handFrom)
      const keys = code.split("").map((char) => [char, char] as const)
      if (ends === "enter") keys.push(["Enter", "\r"])
      const from = Date.now() - keys.length * keyEvery
      await Promise.all(keys.flatMap(([key, text], at) => press(key, text, (from + at * keyEvery) / 1000)))
    },
  }
}

/** A valid Australia Post tracking number; a different one for each `n`. */
export function postNumber(n: number): string {
  const digits = String(40_000_000 + n)
  const weights = [8, 6, 4, 2, 3, 5, 9, 7]
  const sum = weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  const rest = 11 - (sum % 11)
  const check = rest === 10 ? 0 : rest === 11 ? 5 : rest
  return `RB${digits}${check}AU`
}
