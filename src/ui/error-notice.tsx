import { Button } from "@mantine/core"
import { explain } from "../api/errors.ts"
import { AtlasStep, hasStep } from "./atlas-step.tsx"
import { Notice } from "./notice.tsx"

interface ErrorNoticeProps {
  error: unknown
  /** What did not happen, as a sentence: "The members were not loaded." */
  what: string
  onRetry?: (() => void) | undefined
}

/** An error in place, in a person's words, with a way to try again where there is one. */
export function ErrorNotice({ error, what, onRetry }: ErrorNoticeProps) {
  const { tone, title, body, next, action, detail } = explain(error)
  return (
    <Notice
      tone={tone}
      title={title}
      detail={detail}
      action={
        onRetry === undefined && !hasStep(action) ? undefined : (
          <>
            {onRetry !== undefined && (
              <Button size="xs" onClick={onRetry}>
                Try again
              </Button>
            )}
            <AtlasStep action={action} />
          </>
        )
      }
    >
      {[what, body, next].filter(Boolean).join(" ")}
    </Notice>
  )
}
