const leaf = "M0 3.4C-2.9 1.4-2.7-1.6 0-4C2.7-1.6 2.9 1.4 0 3.4Z"

/** Where the eight leaves stand: x, y, turn in degrees, size. */
const leaves = [
  [15, 20.02, 94, 0.8],
  [9, 20.02, -94, 0.8],
  [19.06, 16.36, 54, 1],
  [4.94, 16.36, -54, 1],
  [19.76, 10.66, 12, 1],
  [4.24, 10.66, -12, 1],
  [16.7, 6.13, -28, 0.85],
  [7.3, 6.13, 28, 0.85],
] as const

/** Laurel's mark: a wreath of eight leaves. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="var(--l-accent-mark)" aria-hidden>
      {leaves.map(([x, y, turn, scale]) => (
        <path key={turn} d={leaf} transform={`translate(${x} ${y}) rotate(${turn}) scale(${scale})`} />
      ))}
    </svg>
  )
}
