import classes from "./ring.module.css"

/** A turning ring: something small is under way. Decoration beside words that say so. */
export function Spinner({ size = 14 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" className={classes.ring} aria-hidden>
      <circle cx="10" cy="10" r="8" className={classes.track} />
      <circle cx="10" cy="10" r="8" pathLength="100" className={classes.part} />
    </svg>
  )
}
