import "../mantine-parts.css"
import { Drawer, Group, Stack } from "@mantine/core"
import { useHotkeys } from "@mantine/hooks"
import { IconCircleCheckFilled } from "@tabler/icons-react"
import {
  type ComponentProps,
  type FormEventHandler,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react"
import { useFocusBack } from "./hooks.ts"
import classes from "./side-drawer.module.css"

/** A drawer at the right end, full width on a phone. It is open while it is mounted: its route decides. */
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
        {onSubmit === undefined ? inside : <DrawerForm onSubmit={onSubmit}>{inside}</DrawerForm>}
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

/** The form; Ctrl Enter (Cmd Enter) in it does what its button says, from a text area too. */
function DrawerForm({ onSubmit, children }: ComponentProps<"form">) {
  const form = useRef<HTMLFormElement>(null)
  const submit = () => {
    if (form.current?.contains(document.activeElement)) form.current.requestSubmit()
  }
  useHotkeys([["mod+Enter", submit]], [])
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className={`grow ${classes.form}`}>
      {children}
    </form>
  )
}

/** What was done, above the rest of the drawer it was done in: one word, then a sentence. Spoken as well. */
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
