import { Button, TextInput } from "@mantine/core"
import { IconDeviceTv, IconDownload } from "@tabler/icons-react"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { RankingReading } from "../../../lib/ranking/read-ranking.ts"
import { RequirePermission } from "../../../lists/require-permission.tsx"
import { Segmented } from "../../../ui/segmented.tsx"
import { saveRanking } from "./save-ranking.ts"
import classes from "./board-actions.module.css"
import { placesLimit } from "./board-search.ts"

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
  const show = (places: number) => void navigate({ search: (now) => ({ ...now, limit: places }) })
  return (
    <div className={classes.actions}>
      <Segmented
        label="Places"
        value={String(limit)}
        options={limits}
        onChange={(value) => show(Number(value))}
      />
      <OtherPlaces key={limit} limit={limit} onShow={show} />
      <RequirePermission permission="exports.people">
        <Button
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          disabled={reading === undefined || reading.fields.length === 0}
          onClick={() => reading && saveRanking(name, reading)}
        >
          Export
        </Button>
      </RequirePermission>
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

/** Any other number of places that the service gives. */
function OtherPlaces({ limit, onShow }: { limit: number; onShow: (places: number) => void }) {
  const [typed, setTyped] = useState(String(limit))
  const { min, max } = placesLimit
  const places = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  const fits = places >= min && places <= max
  const show = () => {
    if (fits && places !== limit) onShow(places)
  }
  return (
    <TextInput
      aria-label={`Number of places, ${min} to ${max}`}
      className={classes.places ?? ""}
      value={typed}
      error={fits ? undefined : `${min} to ${max}`}
      inputMode="numeric"
      autoComplete="off"
      maxLength={3}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={({ key }) => key === "Enter" && show()}
      onBlur={show}
    />
  )
}
