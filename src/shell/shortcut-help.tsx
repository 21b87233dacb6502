import { Modal } from "@mantine/core"
import "@mantine/core/styles/CloseButton.layer.css"
import "@mantine/core/styles/Overlay.layer.css"
import "@mantine/core/styles/Paper.layer.css"
import "@mantine/core/styles/ModalBase.layer.css"
import "@mantine/core/styles/Modal.layer.css"
import { Fragment } from "react"
import { Kbd } from "../ui/kbd.tsx"
import { modifier } from "./modifier.ts"
import { overlay } from "./shell-state.ts"
import classes from "./shortcut-help.module.css"

const shortcuts: readonly { keys: readonly string[]; does: string }[] = [
  { keys: [`${modifier} K`], does: "Search, or jump to a page or a member" },
  { keys: ["?"], does: "Show this list" },
  { keys: ["Esc"], does: "Close what is open" },
  { keys: ["Tab"], does: "Go to the next control" },
  { keys: ["Enter"], does: "Open the row, or press the button in focus" },
  { keys: [`${modifier} Enter`], does: "Do what the form’s button says" },
]

/** The keyboard shortcuts. */
export function ShortcutHelp() {
  return (
    <Modal
      opened
      onClose={() => overlay.set(null)}
      title="Keyboard shortcuts"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <dl className={classes.list}>
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className={classes.row}>
            <dt>
              {keys.map((key) => (
                <Fragment key={key}>
                  <Kbd>{key}</Kbd>{" "}
                </Fragment>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
