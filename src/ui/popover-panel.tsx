import { Popover } from "@mantine/core"
import { useMounted } from "@mantine/hooks"
import { type ReactNode, type Ref, Suspense, useImperativeHandle } from "react"

/** The panel of `Popover`, at a button outside it. */
export function PopoverPanel(props: {
  label: string
  target: HTMLElement
  opened: boolean
  align: "start" | "end"
  width: number | undefined
  onClose: () => void
  children: ReactNode
}) {
  const { label, target, opened, align, width, onClose, children } = props
  // Mantine notes what to give the focus back to when a panel opens, not when it is rendered open.
  const mounted = useMounted()
  return (
    <Popover
      opened={opened && mounted}
      onChange={(open) => !open && onClose()}
      position={`bottom-${align}`}
      {...(width !== undefined && { width })}
      trapFocus
      returnFocus
      // Mantine would name the panel by its button.
      withRoles={false}
    >
      <Popover.Target>
        <Button element={target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={holdFocus}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Mantine positions the panel
        role="dialog"
        aria-label={label}
        tabIndex={-1}
      >
        <Suspense>{children}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Hands Mantine the button, which is rendered already. */
function Button({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}

/**
 * Focuses the panel when the focused element in it was removed or disabled. A native listener, because React
 * dispatches no event for a removed element.
 */
function holdFocus(panel: HTMLElement | null): void {
  panel?.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Element) return
    setTimeout(() => {
      if (document.activeElement === document.body && panel.isConnected) panel.focus()
    })
  })
}
