import { UnstyledButton } from "@mantine/core"
import { csvBlob } from "../../lib/csv.ts"
import { formatCount } from "../../lib/format.ts"
import { saveFile } from "../../lib/save-file.ts"
import type { ImportSession } from "../session/import-session.ts"

/** Says how many rows are left out, and saves them with the reason of each. Draws nothing when none are. */
export function LeftOutDownload({ session }: { session: ImportSession }) {
  const { leftOut, name } = session.state
  if (leftOut.total === 0) return null
  const save = async () => {
    const csv = await session.leftOutCsv()
    saveFile(`${name.replace(/\.[^.]*$/, "")} excluded.csv`, csvBlob(csv))
  }
  return (
    <span className="text-muted l-meta">
      {formatCount(leftOut.total)} {leftOut.total === 1 ? "row is" : "rows are"} left out.{" "}
      <UnstyledButton className="l-link" onClick={() => void save()}>
        Download {leftOut.total === 1 ? "it" : "them"}
      </UnstyledButton>
    </span>
  )
}
