/** A turning ring: something small is under way. Decoration beside words that say so. */
export function Spinner({ size = 14 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" className="turning" {...stroke} aria-hidden>
      <circle cx="10" cy="10" r="8" strokeOpacity="0.35" />
      <circle cx="10" cy="10" r="8" pathLength="100" strokeDasharray="30 100" strokeLinecap="round" />
    </svg>
  )
}

const stroke = { fill: "none", stroke: "currentColor", strokeWidth: 3 }
