import { Group, NativeSelect, SimpleGrid, Stack } from "@mantine/core"
import { useState } from "react"
import type { RankingRoles } from "../../../contract/settings.ts"
import { useSaveMapping } from "../../api/leaderboards.ts"
import { useSession } from "../../api/session.ts"
import type { Ranking } from "../../lib/rankings.ts"
import { RequirePermission } from "../../lists/require-permission.tsx"
import { Button } from "../../ui/button.tsx"
import { ErrorNotice } from "../../ui/error-notice.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"

/**
 * Which columns are rank, name and score: closed and for administrators while they are known by their names, otherwise
 * open for everyone. A choice applies locally; once saved, for all users.
 */
export function ColumnsPanel(props: {
  boardId: string
  ranking: Ranking
  /** The columns saved for all users, and the local draft. */
  saved: RankingRoles | undefined
  draft: RankingRoles | null
  onDraft: (draft: RankingRoles | null) => void
}) {
  const { boardId, saved, draft, onDraft } = props
  const { roles, fields, view } = props.ranking
  const isAdmin = useSession().user.role === "admin"
  const [open, setOpen] = useState(view !== "places")
  const save = useSaveMapping()
  if (!isAdmin && !open) return null
  const select = (label: string, value: string, choose: (field: string | null) => Partial<RankingRoles>) => (
    <NativeSelect
      label={label}
      value={value}
      // The value may be two columns, or one that is not sent any more.
      data={[{ value: "", label: "None" }, ...new Set([value, ...fields].filter((field) => field !== ""))]}
      rightSection={<SelectChevron />}
      classNames={{ input: "l-mono wrap-anywhere" }}
      onChange={({ currentTarget }) => onDraft({ ...roles, ...choose(currentTarget.value || null) })}
    />
  )
  return (
    <details
      aria-label="Set up columns"
      open={open}
      onToggle={({ currentTarget }) => isAdmin && setOpen(currentTarget.open)}
    >
      <summary>Set up columns</summary>
      <Stack gap={12} pt={12}>
        <p className="text-secondary">{panelText(view, saved)}</p>
        <SimpleGrid cols={{ base: 1, sm: 3 }} maw={720}>
          {select("Rank", roles.rank ?? "", (rank) => ({ rank }))}
          {select("Name", roles.name.join(" + "), (name) => ({ name: name === null ? [] : [name] }))}
          {select("Score", roles.score ?? "", (score) => ({ score }))}
        </SimpleGrid>
        <ErrorNotice error={save.error} what="Couldn’t save the columns." />
        <Group gap={8}>
          {(draft !== null || saved !== undefined) && (
            <RequirePermission permission="settings.program">
              <Button
                variant={draft === null ? "default" : "filled"}
                loading={save.isPending}
                onClick={() => save.mutate({ id: boardId, roles: draft }, { onSuccess: () => onDraft(null) })}
              >
                {draft === null ? "Find them automatically" : "Save for everyone"}
              </Button>
            </RequirePermission>
          )}
          {draft !== null && (
            <Button disabled={save.isPending} onClick={() => onDraft(null)}>
              Discard
            </Button>
          )}
        </Group>
        <output className="caption">
          {draft !== null && "Only you see this until it’s saved."}
          {draft === null && save.isSuccess && "Saved for everyone."}
        </output>
      </Stack>
    </details>
  )
}

function panelText(view: Ranking["view"], saved: RankingRoles | undefined): string {
  if (view !== "places") return "Couldn’t find the ranking. Choose the name, and the score or the rank."
  if (saved !== undefined) return "These columns were chosen for everyone."
  return "These columns were found by their names. Change them if they’re wrong."
}
