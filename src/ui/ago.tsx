import { ago, exact, millis, type Moment } from "../lib/time.ts"
import { Tip } from "./tip.tsx"
import { useNow } from "./use-now.ts"

/** How long ago something was, kept current, with the exact moment on hover and for machines. */
export function Ago({ at }: { at: Moment | null | undefined }) {
  const ms = at === null || at === undefined ? Number.NaN : millis(at)
  const coarse = useNow("half-minute")
  const now = useNow(coarse - ms < 60_000 ? "second" : "half-minute")
  if (at === null || at === undefined) return null
  if (Number.isNaN(ms)) return <span>{String(at)}</span>
  return (
    <Tip label={exact(ms)}>
      <time dateTime={new Date(ms).toISOString()} className="l-num">
        {ago(ms, now)}
      </time>
    </Tip>
  )
}
