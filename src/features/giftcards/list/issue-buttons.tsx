import { Button } from "@mantine/core"
import { IconFileSpreadsheet, IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useListLayout } from "../../../lists/list-columns.ts"
import { RequirePermission } from "../../../ui/require-permission.tsx"

/** The ways to issue cards, in the head of the register. */
export function IssueButtons() {
  const phone = useListLayout() === "phone"
  return (
    <>
      <RequirePermission permission="cards.issue">
        <Button
          renderRoot={(props) => <Link {...props} to="/cards/issue-file" />}
          leftSection={<IconFileSpreadsheet size={16} stroke={1.75} aria-hidden />}
        >
          {phone ? "Import" : "Issue from a file"}
        </Button>
      </RequirePermission>
      <RequirePermission permission="cards.issue">
        <Button
          variant="filled"
          renderRoot={(props) => (
            <Link {...props} from="/cards" to="/cards/issue" search={true} resetScroll={false} />
          )}
          leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        >
          Issue card
        </Button>
      </RequirePermission>
    </>
  )
}
