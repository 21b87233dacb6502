import { CloseButton, Group } from "@mantine/core"
import type { ReactNode } from "react"

/** The top of a panel of the demo: its title or a button, and the close button. */
export function PanelHeader(props: { closeLabel: string; onClose: () => void; children: ReactNode }) {
  return (
    <Group
      component="header"
      justify="space-between"
      wrap="nowrap"
      flex="none"
      h={48}
      ps={16}
      pe="sm"
      className="line-below"
    >
      {props.children}
      <CloseButton
        size="var(--l-control)"
        iconSize={16}
        aria-label={props.closeLabel}
        onClick={props.onClose}
      />
    </Group>
  )
}
