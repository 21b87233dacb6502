/** Beyond it numbers are not kept exactly: what was sent is shown instead. */
const exactTo = Number.MAX_SAFE_INTEGER
/** More decimals than this are noise of the arithmetic. */
const mostDecimals = 6

const minus = "\u2212"

/** Decimals of a number as it is written, at most six. */
function decimalsOf(number: number): number {
  if (Number.isInteger(number)) return 0
  return Math.min(mostDecimals, /\.(\d+)$/.exec(String(number))?.[1]?.length ?? mostDecimals)
}

/** One score less another, without the noise of binary fractions; null where either is missing or too large. */
export function differenceOf(score: number | null, before: number | null): number | null {
  if (score === null || before === null || Math.max(Math.abs(score), Math.abs(before)) > exactTo) return null
  return Number((score - before).toFixed(Math.max(decimalsOf(score), decimalsOf(before))))
}

/** A score as it is read: grouped, with as many decimals as it has, and a true minus. Units are not known. */
export function scoreText(score: number | null, sent: string): string {
  if (score === null || Math.abs(score) > exactTo) return sent
  const text = new Intl.NumberFormat("en-AU", { maximumFractionDigits: mostDecimals }).format(Math.abs(score))
  return score < 0 ? `${minus}${text}` : text
}

/** A gap with its sign: `−4,320`, `+3.5`; those who are level say so. */
export function gapText(gap: number): string {
  if (gap === 0) return "Level"
  return gap > 0 ? `+${scoreText(gap, String(gap))}` : scoreText(gap, String(gap))
}
