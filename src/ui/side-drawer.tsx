import { Drawer, Group, Stack } from "@mantine/core"
import { IconCircleCheckFilled } from "@tabler/icons-react"
import { type FormEventHandler, type ReactNode, useEffect, useState } from "react"
import { useFocusBack, useSubmitKey } from "./hooks.ts"
import classes from "./side-drawer.module.css"

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
  const still = useTakesPlace()
  const inside = (
    <>
      <Stack gap={20} className={`grow scroll ${classes.body}`}>
        {children}
      </Stack>
      {foot !== undefined && (
        <Stack gap={12} className={`line-above ${classes.foot}`}>
          {foot}
        </Stack>
      )}
    </>
  )
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      size={wide ? "var(--l-drawer-wide-w)" : "var(--l-drawer-w)"}
      classNames={{
        overlay: still ? "" : classes.appear,
        content: still ? classes.content : `${classes.content} ${classes.slide}`,
      }}
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Group gap="sm" wrap="nowrap" className={`line-below ${classes.header}`}>
          <Drawer.Title className="grow truncate">{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Group>
        {onSubmit === undefined ? (
          inside
        ) : (
          <form noValidate onSubmit={onSubmit} className={`grow ${classes.form}`}>
            {inside}
          </form>
        )}
      </Drawer.Content>
    </Drawer.Root>
  )
}

let drawers = 0

function useTakesPlace(): boolean {
  const [takes] = useState(() => drawers > 0)
  useEffect(() => {
    drawers += 1
    return () => {
      drawers -= 1
    }
  }, [])
  return takes
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
