import { ago, exact, millis, onDay, type Moment } from "../lib/time.ts"
import { Tip } from "./tip.tsx"
import { useNow } from "./use-now.ts"

interface AgoProps {
  at: Moment | null | undefined
  /** The day and the time of day, as a ledger has it, instead of the time that has gone by. */
  calendar?: boolean
}

/** How long ago something was, kept current, with the exact moment on hover and for machines. */
export function Ago({ at, calendar = false }: AgoProps) {
  const ms = at === null || at === undefined ? Number.NaN : millis(at)
  const coarse = useNow("half-minute")
  const now = useNow(!calendar && coarse - ms < 60_000 ? "second" : "half-minute")
  if (at === null || at === undefined) return null
  if (Number.isNaN(ms)) return <span>{String(at)}</span>
  return (
    <Tip label={exact(ms)}>
      <time dateTime={new Date(ms).toISOString()} className="l-num">
        {calendar ? onDay(ms, now) : ago(ms, now)}
      </time>
    </Tip>
  )
}
