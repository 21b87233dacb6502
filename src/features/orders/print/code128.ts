import { code128, type DrawingContext } from "bwip-js/generic"

/** Bars of a code 128 symbol, in modules from its left end. */
export interface Bars {
  readonly width: number
  readonly bars: readonly { readonly at: number; readonly width: number }[]
}

/** What a hand scanner types as it stands; other characters depend on how it is set up. */
const plain = /^[\u0020-\u007E]{1,60}$/

/** The bars of a text; null for one that no scanner would read back: too long, or letters beyond ASCII. */
export function barsOf(text: string): Bars | null {
  if (!plain.test(text)) return null
  try {
    return code128({ bcid: "code128", text, scale: 1 }, collectBars())
  } catch {
    return null
  }
}

const nothing = () => {}

/** Keeps the bars instead of drawing them. The library gives a bar's middle, rounded up, and its width. */
function collectBars(): DrawingContext<Bars> {
  const bars: { at: number; width: number }[] = []
  let size = 0
  return {
    scale: () => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(width) {
      size = width
    },
    line(x, _y, _x, _end, width) {
      bars.push({ at: x - Math.ceil(width / 2), width })
    },
    polygon: nothing,
    hexagon: nothing,
    ellipse: nothing,
    fill: nothing,
    text: nothing,
    end: () => ({ width: size, bars }),
  }
}
