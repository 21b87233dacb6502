/** A window that is covered paints nothing; one on a slow machine is late, and still paints first. In ms. */
const longestFrame = 500

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
