/** Where a tooltip stands beside its control. */
export type TipSide = "top" | "right"

/** Room between control and tooltip, and between tooltip and window, in px. */
const gap = 6

/** Puts a tooltip beside its control and inside the window; one that does not fit above goes below. */
export function placeTip(tip: HTMLElement, anchor: HTMLElement, side: TipSide): void {
  const control = anchor.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const above = control.top - height - gap
  const left = side === "right" ? control.right + gap : control.left + control.width / 2 - width / 2
  const top =
    side === "right"
      ? control.top + control.height / 2 - height / 2
      : above >= gap
        ? above
        : control.bottom + gap
  tip.style.left = `${Math.max(gap, Math.min(left, window.innerWidth - width - gap))}px`
  tip.style.top = `${Math.max(gap, top)}px`
}
