import { Group } from "@mantine/core"
import type { Icon } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { millis } from "../lib/time.ts"
import { ErrorNotice } from "./error-notice.tsx"
import { Section } from "./page-header.tsx"
import { RelativeTime } from "./values.tsx"

/** Something that happened to a record; without a readable time it is left out. */
export interface HistoryEvent {
  readonly key: string
  readonly at: string | null | undefined
  readonly icon: Icon
  readonly tone?: string | undefined
  readonly title: string
  readonly by?: ReactNode
  readonly note?: ReactNode
}

/** What happened to a record, newest first; `children` say where that is known from. */
export function History(props: {
  events: readonly HistoryEvent[]
  empty: string
  error: Error | null
  what: string
  onRetry: () => void
  children: ReactNode
}) {
  const { error, what, onRetry } = props
  const events = props.events
    .map((event) => ({ ...event, at: event.at ? millis(event.at) : Number.NaN }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((one, other) => other.at - one.at)
  return (
    <Section title="History" maw={760}>
      {error !== null && <ErrorNotice {...{ error, what, onRetry }} />}
      {events.length === 0 && <p className="text-muted">{props.empty}</p>}
      <ol className="ruled">
        {events.map(({ key, at, icon: Mark, tone, title, by, note }) => (
          <Group key={key} component="li" wrap="nowrap" align="start" gap={12} py={10}>
            <Mark
              size={16}
              stroke={1.75}
              aria-hidden
              className="tone-mark"
              data-tone={tone}
              style={{ marginTop: 2 }}
            />
            <div className="grow wrap-anywhere">
              <div className="l-medium">{title}</div>
              <div className="text-secondary">{by}</div>
              <div className="text-muted">{note}</div>
            </div>
            <span className="text-muted nowrap">
              <RelativeTime at={at} calendar />
            </span>
          </Group>
        ))}
      </ol>
      {props.children}
    </Section>
  )
}
