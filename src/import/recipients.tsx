import { Box, Group, NativeSelect } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useMemo, useRef, type ReactNode } from "react"
import type { Recipients } from "../../contract/members.ts"
import { copyMetaOf, recipientsOf } from "../api/members.ts"
import { useSession } from "../api/session.ts"
import { counted } from "../lib/format.ts"
import { ago, millis, shortDay, timeOfDay } from "../lib/time.ts"
import { defined } from "../lists/list-params.ts"
import { LinkButton, Button } from "../ui/button.tsx"
import { SelectChevron } from "../ui/field-parts.tsx"
import { useLate, useServerNow } from "../ui/hooks.ts"
import { ErrorNotice, Notice } from "../ui/notice.tsx"
import type { ImportSession } from "./import-session.ts"
import { knownMember } from "./sheet-facts.ts"
import type { ImportSource } from "./sheet-view.ts"

type Rows = Extract<ImportSource, { kind: "rows" }>
type Recipient = Recipients["members"][number]

/** The members of a saved view or a company, read once: rows do not change while a person works on them. */
export function useRecipients({
  view,
  company,
}: {
  view?: string | undefined
  company?: string | undefined
}) {
  const of = view === undefined ? defined({ company }) : { view }
  const query = useQuery({ ...recipientsOf(of), enabled: Object.keys(of).length > 0 })
  const { data } = query
  return useMemo(() => {
    if (data === undefined) return { error: query.error, retry: query.refetch }
    const { members } = data.data
    const known = members.map(knownMember)
    return {
      list: {
        name: data.data.name ?? company ?? "",
        members,
        known,
        at: millis(copyMetaOf(data.meta)?.synced_at ?? data.at),
      },
    }
  }, [data, query.error, query.refetch, company])
}

/** Opens the members of a saved view or a company as rows, and says of when they are. */
export function RecipientRows(props: {
  session: ImportSession
  recipients: ReturnType<typeof useRecipients>
  columns: Rows["columns"]
  toRow: (member: Recipient) => readonly string[]
}) {
  const { session, recipients, columns, toRow } = props
  const { list, error, retry } = recipients
  const now = useServerNow("half-minute")
  const source = useMemo(
    () =>
      list && {
        kind: "rows" as const,
        // The time makes it another list than an earlier draft of the same view.
        name: `${counted(list.members.length, "member")} of “${list.name}”, ${shortDay(list.at, list.at)} ${timeOfDay(list.at)}`,
        columns,
        rows: list.members.map(toRow),
      },
    [list, columns, toRow],
  )
  if (error != null) {
    return (
      <Box px="gutter" pb={12}>
        <ErrorNotice error={error} what="The members weren’t read." onRetry={retry} />
      </Box>
    )
  }
  if (list === undefined || source === undefined) return null
  if (list.members.length === 0) {
    return (
      <Box px="gutter" pb={12}>
        <Notice tone="info" title={`No member matches “${list.name}”`}>
          Choose another view, or change it in the members list.
        </Notice>
      </Box>
    )
  }
  const isOpen = session.state.phase === "ready" && session.state.name === source.name
  return (
    <>
      <OfferedRows session={session} source={source} />
      {isOpen && (
        <Box px="gutter" pb={12}>
          <Notice
            tone="info"
            title={`${counted(list.members.length, "member")} of “${list.name}”, synced ${ago(list.at, Math.max(now, list.at))}`}
          >
            These are the recipients, as listed below. Members who match later aren’t added.
          </Notice>
        </Box>
      )}
    </>
  )
}

/** Opens rows that were chosen elsewhere. An existing draft has precedence until the person chooses. */
export function OfferedRows({ session, source }: { session: ImportSession; source: Rows }) {
  const { state, open } = session
  const { name } = source
  // Once: rows that were sent or discarded do not come back.
  const opened = useRef<string>(undefined)
  useEffect(() => {
    if (state.phase === "empty" && opened.current !== name) {
      opened.current = name
      void open(source)
    }
  }, [state.phase, open, source, name])
  // Rows of a file opened since then are not an earlier draft.
  const isDraft = state.phase === "ready" && state.restoredAt !== null && state.name !== name
  const isEmpty = useLate(state.phase === "empty")
  if (!isDraft && !isEmpty) return null
  return (
    <Box px="gutter" pb={12}>
      <Notice
        tone="info"
        title={isDraft ? `You have an earlier draft: ${state.name}` : "No rows are open"}
        action={
          <Button size="xs" onClick={() => void open(source)}>
            Use the {name}
            {isDraft && " instead"}
          </Button>
        }
      />
    </Box>
  )
}

/** Chooses a saved view of the members list, whose members become the rows. */
export function ChooseView(): ReactNode {
  const { views } = useSession()
  const navigate = useNavigate()
  const listed = (views?.all ?? [])
    .filter(({ list }) => list === "members")
    .toSorted((one, other) => one.name.localeCompare(other.name))
  if (listed.length === 0) {
    return (
      <Group gap="4px 8px" className="text-secondary">
        Or send to everyone in a saved view: save one in the members list first.
        <LinkButton to="/members" size="xs" variant="subtle">
          Open members
        </LinkButton>
      </Group>
    )
  }
  return (
    <NativeSelect
      label="Or take everyone in a saved view of the members list"
      maw={400}
      rightSection={<SelectChevron />}
      value=""
      data={[
        { value: "", label: "Choose a view" },
        ...listed.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        if (value !== "")
          void navigate({ to: ".", search: (now) => ({ ...now, view: value, company: undefined }) })
      }}
    />
  )
}
