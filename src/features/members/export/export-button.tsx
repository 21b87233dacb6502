import { Button } from "@mantine/core"
import { NeedsRole } from "../../../ui/require-permission.tsx"

/** Opens the export of what a list shows. */
export function ExportButton({ onClick }: { onClick: () => void }) {
  return (
    <NeedsRole permission="exports.people">
      <Button onClick={onClick}>Export</Button>
    </NeedsRole>
  )
}
