import { Button } from "@mantine/core"
import { IconArrowBackUp, IconEyeOff, IconTrash } from "@tabler/icons-react"
import { IconButton } from "../../ui/icon-button.tsx"
import type { ImportSession } from "../session/import-session.ts"
import type { RowView } from "../sheet/sheet-view.ts"
import classes from "./import-grid.module.css"

interface RowActionsProps {
  session: ImportSession
  row: RowView
  /** Under the pointer, with the focus, or touched rather than pointed at. */
  offered: boolean
  /** Whether Tab reaches them: those of the row with the focus. */
  reachable: boolean
}

/** What can be done with a row as a whole. A row that has to be looked at always shows its choice. */
export function RowActions({ session, row, offered, reachable }: RowActionsProps) {
  const { id, number, standing, kept } = row
  if (!offered && standing !== "check" && standing !== "out") return null
  const tabIndex = reachable ? 0 : -1
  return (
    <span className={classes.actions}>
      {standing === "check" && (
        <Button
          size="xs"
          variant="subtle"
          tabIndex={tabIndex}
          aria-label={kept ? `Exclude row ${number}` : `Keep row ${number}`}
          onClick={() => void session.decide([id], kept ? "leave" : "keep")}
        >
          {kept ? "Exclude" : "Keep"}
        </Button>
      )}
      {standing === "ready" && (
        <IconButton
          label={`Exclude row ${number}`}
          tabIndex={tabIndex}
          icon={<IconEyeOff size={16} stroke={1.75} />}
          onClick={() => void session.decide([id], "leave")}
        />
      )}
      {standing === "out" && (
        <IconButton
          label={`Include row ${number} again`}
          tabIndex={tabIndex}
          icon={<IconArrowBackUp size={16} stroke={1.75} />}
          onClick={() => void session.decide([id], null)}
        />
      )}
      <IconButton
        label={`Delete row ${number}`}
        tabIndex={tabIndex}
        icon={<IconTrash size={16} stroke={1.75} />}
        onClick={() => void session.remove([id])}
      />
    </span>
  )
}
