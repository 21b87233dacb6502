import { Drawer } from "@mantine/core"
import { useHotkeys } from "@mantine/hooks"
import { IconCircleCheckFilled } from "@tabler/icons-react"
import { type FormEventHandler, type ReactNode, useEffect, useRef, useState } from "react"
import { useFocusBack } from "./hooks.ts"
import classes from "./side-drawer.module.css"

interface SideDrawerProps {
  title: ReactNode
  onClose: () => void
  wide?: boolean
  foot?: ReactNode
  /** Makes body and foot one form, so that Enter and the button in the foot submit it. */
  onSubmit?: FormEventHandler<HTMLFormElement>
  children: ReactNode
}

/** A drawer at the right end, full width on a phone. It is open while it is mounted: its route decides. */
export function SideDrawer({ title, onClose, wide = false, foot, onSubmit, children }: SideDrawerProps) {
  useFocusBack()
  const still = useTakesPlace()
  const inside = (
    <>
      <div className={classes.body}>{children}</div>
      {foot !== undefined && <div className={classes.foot}>{foot}</div>}
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
        <div className={classes.header}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        {onSubmit === undefined ? inside : <DrawerForm onSubmit={onSubmit}>{inside}</DrawerForm>}
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Drawers that are there: a form and its outcome are two. */
let drawers = 0

/** Whether a drawer takes another's place, and so has no entry of its own. */
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

interface DrawerFormProps {
  onSubmit: FormEventHandler<HTMLFormElement>
  children: ReactNode
}

/** The form; Ctrl Enter (Cmd Enter) in it does what its button says, from a text area too. */
function DrawerForm({ onSubmit, children }: DrawerFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const submit = () => {
    if (form.current?.contains(document.activeElement)) form.current.requestSubmit()
  }
  useHotkeys([["mod+Enter", submit]], [])
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className={classes.form}>
      {children}
    </form>
  )
}

/** What was done, at the head of the drawer it was done in: one word, then a sentence. Spoken as well. */
export function Outcome({ word, children }: { word: string; children: ReactNode }) {
  return (
    <output className={classes.outcome}>
      <span className={classes.word}>
        <IconCircleCheckFilled size={18} aria-hidden />
        {word}
      </span>
      <span className={classes.sentence}>{children}</span>
    </output>
  )
}
