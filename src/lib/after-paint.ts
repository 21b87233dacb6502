/** Longest wait for a frame, in ms. A covered window never paints; a slow machine paints late. */
const longestFrame = 500

/** Calls `run` once after the next paint. */
export function afterPaint(run: () => void): void {
  let done = false
  const once = () => {
    if (!done) run()
    done = true
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, longestFrame)
}
