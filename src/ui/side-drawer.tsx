import { Drawer } from "@mantine/core"
import "@mantine/core/styles/CloseButton.layer.css"
import "@mantine/core/styles/Overlay.layer.css"
import "@mantine/core/styles/Paper.layer.css"
import "@mantine/core/styles/ModalBase.layer.css"
import "@mantine/core/styles/Drawer.layer.css"
import type { FormEventHandler, KeyboardEvent, ReactNode } from "react"
import classes from "./side-drawer.module.css"

interface SideDrawerProps {
  title: ReactNode
  onClose: () => void
  /** 560 px instead of 480: for a form with an address or many fields. */
  wide?: boolean
  /** What will happen and the button that does it; always in view. */
  foot?: ReactNode
  /** Makes body and foot one form, so that Enter and the button in the foot submit it. */
  onSubmit?: FormEventHandler<HTMLFormElement>
  children: ReactNode
}

/** A drawer at the right end, full width on a phone. It is open while it is mounted: its route decides. */
export function SideDrawer({ title, onClose, wide = false, foot, onSubmit, children }: SideDrawerProps) {
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
      classNames={{ overlay: classes.scrim, content: classes.content }}
      transitionProps={{ duration: 0 }}
    >
      <Drawer.Overlay />
      <Drawer.Content onKeyDown={submitOnModEnter}>
        <header className={classes.header}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </header>
        {onSubmit === undefined ? (
          inside
        ) : (
          <form noValidate onSubmit={onSubmit} className={classes.form}>
            {inside}
          </form>
        )}
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Ctrl Enter (Cmd Enter) does what the form's button says, from a text area too. */
function submitOnModEnter(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.querySelector("form")?.requestSubmit()
}
