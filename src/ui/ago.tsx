import { ago, exact, millis, type Moment } from "../lib/time.ts"
import { Tip } from "./tip.tsx"
import { useNow } from "./use-now.ts"

/** How long ago something was, kept current, with the exact moment on hover and for machines. */
export function Ago({ at }: { at: Moment | null | undefined }) {
  const now = useNow("half-minute")
  if (at === null || at === undefined) return null
  const ms = millis(at)
  if (Number.isNaN(ms)) return <span>{String(at)}</span>
  // The half-minute clock may lag behind something that just happened.
  const words = ago(ms, Math.max(now, Math.min(Date.now(), ms + 1000)))
  return (
    <Tip label={exact(ms)}>
      <time dateTime={new Date(ms).toISOString()} className="l-num">
        {words}
      </time>
    </Tip>
  )
}
