import { useState } from "react"
import { ApiError, deskErrorWords } from "../../api/errors.ts"
import { Notice } from "../../ui/notice.tsx"
import { useNow } from "../../ui/hooks.ts"
import { RefusalNotice } from "./refusal-notice.tsx"

/** Why signing in did not work, and for how long it is paused. */
export interface Refusal {
  readonly error: unknown
  /** Whole seconds until another attempt is taken; 0 when one is. */
  readonly pausedFor: number
  take(error: unknown): void
  clear(): void
}

/** Keeps a refusal; a pause for too many attempts counts down by itself. */
export function useRefusal(): Refusal {
  const now = useNow("second")
  const [error, setError] = useState<unknown>(null)
  const [until, setUntil] = useState(0)
  return {
    error,
    pausedFor: Math.max(0, Math.round((until - now) / 1000)),
    take(refused) {
      setError(refused)
      const seconds = refused instanceof ApiError && refused.status === 429 ? (refused.retryAfter ?? 60) : 0
      setUntil(seconds === 0 ? 0 : Date.now() + seconds * 1000)
    },
    clear() {
      setError(null)
      setUntil(0)
    },
  }
}

/** A refusal in place. The countdown stands on the button; here is what it means. */
export function SignInError({ refusal }: { refusal: Refusal }) {
  const { error, pausedFor } = refusal
  if (error === null) return null
  if (error instanceof ApiError && error.status === 429) {
    return pausedFor > 0 ? (
      <Notice tone="warning" title="Too many attempts">
        Sign-in is paused for a moment. What you typed is kept.
      </Notice>
    ) : null
  }
  if (error instanceof ApiError && error.code === "wrong_credentials") {
    const { tone, title, next } = deskErrorWords.wrong_credentials
    return (
      <Notice tone={tone} title={title}>
        {next}
      </Notice>
    )
  }
  return <RefusalNotice error={error} />
}
