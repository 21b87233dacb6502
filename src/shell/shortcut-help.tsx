import { Box, Group } from "@mantine/core"
import { Fragment } from "react"
import { Dialog } from "../ui/confirm-dialog.tsx"
import { modifier } from "./shell-state.ts"

type Shortcut = readonly [does: string, ...keys: string[]]

const groups: readonly { readonly label: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    label: "Everywhere",
    shortcuts: [
      ["Search, jump to a record or page, or start an action", `${modifier} K`],
      ["In the search: a record’s actions, and back (arrow keys)", "Right", "Left"],
      ["Go to the notification", "N"],
      ["Show this list", "?"],
      ["Close the open dialog", "Esc"],
      ["Go to the next control", "Tab"],
    ],
  },
  {
    label: "In a list",
    shortcuts: [
      ["Next row, previous row (arrow keys work too)", "J", "K"],
      ["Open the row", "Enter"],
      ["Edit the order’s tracking number in its row", "E", "F2"],
      ["Select or deselect the row", "X"],
      ["Search the list", "/"],
      ["Clear the selection", "Esc"],
    ],
  },
  { label: "In a form", shortcuts: [["Submit the form", `${modifier} Enter`]] },
]

/** The keyboard shortcuts. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {groups.map(({ label, shortcuts }, at) => (
        <Box key={label} component="section" mt={at === 0 ? 0 : 20}>
          <h3 className="caption l-medium">{label}</h3>
          <dl>
            {shortcuts.map(([does, ...keys]) => (
              <Group key={does} gap={0} mih={36} wrap="nowrap" fz="var(--l-fs-ui)" className="line-above">
                <Box component="dt" w={104} flex="none">
                  {keys.map((key) => (
                    <Fragment key={key}>
                      <kbd>{key}</kbd>{" "}
                    </Fragment>
                  ))}
                </Box>
                <dd>{does}</dd>
              </Group>
            ))}
          </dl>
        </Box>
      ))}
    </Dialog>
  )
}
