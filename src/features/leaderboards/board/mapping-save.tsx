import { Button } from "@mantine/core"
import type { RankingRoles } from "../../../../contract/settings.ts"
import { useSaveMapping } from "../../../api/leaderboards.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { ErrorNotice } from "../../../ui/error-notice.tsx"
import classes from "./board-side.module.css"

interface MappingSaveProps {
  boardId: string
  saved: RankingRoles | undefined
  draft: RankingRoles | null
  /** What was tried out is saved, or given up. */
  onDone: () => void
}

/** Saves the choice of fields for everybody, or goes back to what is recognised. */
export function MappingSave({ boardId, saved, draft, onDone }: MappingSaveProps) {
  const save = useSaveMapping()
  const send = (roles: RankingRoles | null) => save.mutate({ id: boardId, roles }, { onSuccess: onDone })
  return (
    <>
      {save.error !== null && <ErrorNotice error={save.error} what="Couldn’t save the choice of fields." />}
      <div className={classes.buttons}>
        {draft !== null && (
          <>
            <RequirePermission permission="settings.program">
              <Button variant="filled" loading={save.isPending} onClick={() => send(draft)}>
                Save for everybody
              </Button>
            </RequirePermission>
            <Button disabled={save.isPending} onClick={onDone}>
              Discard
            </Button>
          </>
        )}
        {draft === null && saved !== undefined && (
          <RequirePermission permission="settings.program">
            <Button loading={save.isPending} onClick={() => send(null)}>
              Back to what is recognised
            </Button>
          </RequirePermission>
        )}
      </div>
      <output className="l-meta text-muted">
        {draft !== null && "Only you see this until it’s saved."}
        {draft === null && save.isSuccess && "Saved for everyone."}
      </output>
    </>
  )
}
