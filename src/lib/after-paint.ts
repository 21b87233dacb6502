/** A window that is covered paints nothing. */
const longestFrame = 100

/** Runs something once after the next paint. */
export function afterPaint(run: () => void): void {
  let done = false
  const once = () => {
    if (!done) run()
    done = true
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, longestFrame)
}
