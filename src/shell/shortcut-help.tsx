import { Modal } from "@mantine/core"
import { Fragment } from "react"
import { useFocusBack } from "../ui/hooks.ts"
import { modifier, overlay } from "./shell-state.ts"
import classes from "./shell.module.css"

interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

const groups: readonly { readonly label: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    label: "Everywhere",
    shortcuts: [
      { keys: [`${modifier} K`], does: "Search, or jump to a page or a member" },
      { keys: ["?"], does: "Show this list" },
      { keys: ["Esc"], does: "Close the open dialog" },
      { keys: ["Tab"], does: "Go to the next control" },
    ],
  },
  {
    label: "In a list",
    shortcuts: [
      { keys: ["J", "K"], does: "Next row, previous row (arrow keys work too)" },
      { keys: ["Enter"], does: "Open the row" },
      { keys: ["X"], does: "Select or deselect the row" },
      { keys: ["/"], does: "Search the list" },
      { keys: ["Esc"], does: "Clear the selection" },
    ],
  },
  {
    label: "In a form",
    shortcuts: [{ keys: [`${modifier} Enter`], does: "Submit the form" }],
  },
]

/** The keyboard shortcuts. */
export function ShortcutHelp() {
  useFocusBack()
  return (
    <Modal
      opened
      onClose={() => overlay.set(null)}
      title="Keyboard shortcuts"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {groups.map(({ label, shortcuts }) => (
        <section key={label} className={classes.group}>
          <h3 className={classes.heading}>{label}</h3>
          <dl>
            {shortcuts.map(({ keys, does }) => (
              <div key={does} className={classes.row}>
                <dt>
                  {keys.map((key) => (
                    <Fragment key={key}>
                      <kbd>{key}</kbd>{" "}
                    </Fragment>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  )
}
