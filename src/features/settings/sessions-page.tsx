import { Group } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { OwnSession } from "../../../contract/users.ts"
import { ownSessionsQuery, useEndSession } from "../../api/users.ts"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"
import { QueryState } from "../../ui/query-state.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { Button } from "../../ui/button.tsx"

/** The user's sessions; others can be ended, one or all. */
export function SessionsPage() {
  const query = useQuery(ownSessionsQuery)
  const ending = useEndSession()
  const others = query.data?.filter(({ current }) => !current) ?? []
  const columns: readonly DataColumn<OwnSession>[] = [
    {
      label: "Browser",
      cell: ({ browser, current }) => (
        <Group gap="xs">
          <span title={browser ?? undefined}>{browserName(browser)}</span>
          {current && <span className="text-muted">This one</span>}
        </Group>
      ),
    },
    {
      label: "Signed in",
      width: 140,
      hideBelow: "phone",
      cell: ({ created_at }) => <RelativeTime at={created_at} className="text-secondary" />,
    },
    {
      label: "Last used",
      width: 128,
      cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} className="text-secondary" />,
    },
    {
      label: "Actions",
      quiet: true,
      end: true,
      width: 88,
      cell: ({ id, browser, current }) =>
        !current && (
          <Button
            size="xs"
            aria-label={`End the session in ${browserName(browser)}`}
            loading={ending.isPending && ending.variables.id === id}
            disabled={ending.isPending && ending.variables.id !== id}
            onClick={() => ending.mutate({ id })}
          >
            End
          </Button>
        ),
    },
  ]
  return (
    <Section
      title="Your sessions"
      end={
        others.length > 1 && (
          <Button size="xs" loading={ending.isPending} onClick={() => ending.mutate({})}>
            End all others
          </Button>
        )
      }
    >
      <p className="caption">End any that you don’t recognise, then change your password.</p>
      <ErrorNotice error={ending.error} what="Couldn’t end the session." />
      <QueryState query={query} noun="sessions" rows={2} columns={[180, 120]}>
        {(read) => <DataTable label="Sessions" columns={columns} rows={read} keyOf={({ id }) => id} />}
      </QueryState>
    </Section>
  )
}

const browsers = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const
const systems = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
] as const

/** Browser and system from a user agent: "Chrome on Windows". */
export function browserName(agent: string | null): string {
  const named = (all: typeof browsers | typeof systems) =>
    all.find(([pattern]) => pattern.test(agent ?? ""))?.[1]
  return [named(browsers) ?? "Unknown browser", named(systems)].filter(Boolean).join(" on ")
}
