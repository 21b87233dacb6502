/** Which edge of its button a panel keeps to. */
export type DropAlign = "start" | "end"

/** Room between button and panel, and between panel and window, in px. */
const gap = { button: 4, window: 8 }

/** Puts a panel under its button and inside the window; above it where there is more room. */
export function placeDrop(panel: HTMLElement, button: HTMLElement, align: DropAlign): void {
  const anchor = button.getBoundingClientRect()
  const { width, height } = panel.getBoundingClientRect()
  const below = window.innerHeight - anchor.bottom - gap.button - gap.window
  const above = anchor.top - gap.button - gap.window
  const up = height > below && above > below
  const left = align === "start" ? anchor.left : anchor.right - width
  const farthest = window.innerWidth - width - gap.window
  panel.style.left = `${Math.max(gap.window, Math.min(left, farthest))}px`
  panel.style.top = up ? "auto" : `${anchor.bottom + gap.button}px`
  panel.style.bottom = up ? `${window.innerHeight - anchor.top + gap.button}px` : "auto"
  panel.style.maxHeight = `${Math.max(120, up ? above : below)}px`
}
