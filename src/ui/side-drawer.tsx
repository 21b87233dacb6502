import "@mantine/core/styles/Drawer.layer.css"
import { Drawer, Group, Stack } from "@mantine/core"
import { IconCircleCheckFilled } from "@tabler/icons-react"
import type { FormEventHandler, ReactNode } from "react"
import { useFocusBack, useSubmitKey } from "./hooks.ts"

/** A drawer at the right, full width on a phone. Open while mounted: its route decides. */
export function SideDrawer(props: {
  title: ReactNode
  onClose: () => void
  wide?: boolean | undefined
  foot?: ReactNode
  onSubmit?: FormEventHandler<HTMLFormElement>
  children: ReactNode
}) {
  const { title, onClose, wide = false, foot, onSubmit, children } = props
  useFocusBack()
  useSubmitKey()
  const inside = (
    <>
      {/* Scrolling to a field shows the label above and the error below it. */}
      <Stack gap={20} px="gutter" py={20} className="grow scroll" style={{ scrollPaddingBlock: 40 }}>
        {children}
      </Stack>
      {foot !== undefined && (
        <Stack gap={12} px="gutter" py="md" flex="none" className="line-above">
          {foot}
        </Stack>
      )}
    </>
  )
  return (
    <Drawer.Root opened onClose={onClose} size={wide ? "var(--l-drawer-wide-w)" : "var(--l-drawer-w)"}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Group gap="sm" wrap="nowrap" h={56} flex="none" ps="gutter" pe="md" className="line-below">
          <Drawer.Title className="grow truncate">{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Group>
        {onSubmit === undefined ? (
          inside
        ) : (
          <form className="grow" noValidate onSubmit={onSubmit}>
            {inside}
          </form>
        )}
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** The outcome above the rest of the drawer: one word, then a sentence. Announced. */
export function Outcome({ word, children }: { word: string; children: ReactNode }) {
  return (
    <Stack component="output" gap="xs">
      <Group component="span" gap="sm" className="tone-text l-medium" data-tone="success">
        <IconCircleCheckFilled size={18} aria-hidden />
        {word}
      </Group>
      <span className="figure-text wrap-anywhere">{children}</span>
    </Stack>
  )
}
