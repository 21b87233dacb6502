import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { IconDeviceTv, IconDownload } from "@tabler/icons-react"
import { Link, useNavigate } from "@tanstack/react-router"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import { NeedsRole } from "../../../ui/disabled-reason.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { saveRanking } from "./save-ranking.ts"
import classes from "./board-actions.module.css"

const limits = ["10", "25", "50", "100"].map((value) => ({ value, label: value }))

interface BoardActionsProps {
  boardId: string
  name: string
  limit: number
  reading: RankingReading | undefined
}

/** How many places, the file, and the wall display. */
export function BoardActions({ boardId, name, limit, reading }: BoardActionsProps) {
  const navigate = useNavigate({ from: "/leaderboards/$boardId" })
  return (
    <div className={classes.actions}>
      <Segmented
        label="Places"
        value={String(limit)}
        options={limits}
        onChange={(value) => void navigate({ search: (now) => ({ ...now, limit: Number(value) }) })}
      />
      <NeedsRole permission="exports.people">
        <Button
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          disabled={reading === undefined || reading.fields.length === 0}
          onClick={() => reading && saveRanking(name, reading)}
        >
          Export
        </Button>
      </NeedsRole>
      <Button
        leftSection={<IconDeviceTv size={16} stroke={1.75} aria-hidden />}
        renderRoot={(props) => (
          <Link {...props} to="/leaderboards/$boardId/wall" params={{ boardId }} search={{ limit }} />
        )}
      >
        Wall display
      </Button>
    </div>
  )
}
