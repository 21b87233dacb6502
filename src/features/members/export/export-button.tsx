import { Button } from "@mantine/core"
import { RequirePermission } from "../../../lists/require-permission.tsx"

/** Opens the export of what a list shows. */
export function ExportButton({ onClick }: { onClick: () => void }) {
  return (
    <RequirePermission permission="exports.people">
      <Button onClick={onClick}>Export</Button>
    </RequirePermission>
  )
}
