import { Button } from "@mantine/core"
import { Notice } from "../ui/notice.tsx"
import { duration } from "../lib/time.ts"
import { useNow } from "../ui/use-now.ts"

interface StaleNoticeProps {
  /** What is shown, where it is no list: "The order". */
  what?: string
  /** When the service answered, in ms since the epoch. */
  at: number
  refreshing: boolean
  onRefresh: () => void
}

/** The answer is older than it should be, because the service could not be asked just now. */
export function StaleNotice({ what = "The list", at, refreshing, onRefresh }: StaleNoticeProps) {
  const now = useNow("second")
  return (
    <Notice
      tone="info"
      title={`${what} is ${roughly(Math.max(0, now - at))} old`}
      action={
        <Button size="xs" onClick={onRefresh} loading={refreshing}>
          Refresh
        </Button>
      }
    >
      The service couldn’t be reached just now, so this is the last response.
    </Notice>
  )
}

/** Whole minutes from the first one on: nobody needs the seconds of an old answer. */
function roughly(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes === 1) return "a minute"
  return minutes > 1 && minutes < 60
    ? `${minutes} minutes`
    : duration(Math.max(1000, Math.floor(ms / 1000) * 1000))
}
