import { explain } from "../../../lib/errors.ts"
import { ago, duration } from "../../../lib/time.ts"
import { PlainButton } from "../../../ui/plain-button.tsx"
import { useNow } from "../../../ui/hooks.ts"
import classes from "./wall.module.css"

interface WallFootProps {
  /** When the service answered, in ms. */
  at: number | undefined
  /** Why the last reading failed. */
  error: unknown
  /** How often it is read, in ms. */
  pace: number
  onLeave: () => void
}

/** How old the places are, whether they could be read again, and the way out. */
export function WallFoot({ at, error, pace, onLeave }: WallFootProps) {
  const now = useNow("second")
  const failed = error !== null
  return (
    <footer className={classes.foot}>
      <span className={classes.age} data-late={failed || undefined}>
        {at === undefined ? "Not loaded yet" : `Updated ${ago(at, Math.max(now, at))}`}
      </span>
      <output className="text-muted">
        {failed
          ? `${explain(error).title}. Retries automatically.`
          : `Updates every ${duration(Math.floor(pace / 60_000) * 60_000)}`}
      </output>
      <span className={classes.ways}>
        {document.fullscreenEnabled && (
          <PlainButton onClick={() => void document.documentElement.requestFullscreen().catch(() => {})}>
            Full screen
          </PlainButton>
        )}
        <PlainButton onClick={onLeave}>
          Leave <kbd>Esc</kbd>
        </PlainButton>
      </span>
    </footer>
  )
}
