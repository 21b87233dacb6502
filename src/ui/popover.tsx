import { Popover as MantinePopover } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, Suspense } from "react"

/** A panel at its button, with a name for screen readers. It takes the focus and returns it. Its content may be lazy. */
export function Popover(props: {
  label: string
  button: ReactElement<ComponentProps<"button">>
  align?: "start" | "end"
  width?: number
  children: (close: () => void) => ReactNode
}) {
  const { label, button, align = "start", width, children } = props
  const [opened, { toggle, close }] = useDisclosure()
  return (
    <MantinePopover
      opened={opened}
      onChange={(open) => !open && close()}
      position={`bottom-${align}`}
      {...(width !== undefined && { width })}
      trapFocus
      returnFocus
      // Mantine would name the panel by its button.
      withRoles={false}
    >
      <MantinePopover.Target>
        {cloneElement(button, { onClick: toggle, "aria-haspopup": "dialog", "aria-expanded": opened })}
      </MantinePopover.Target>
      <MantinePopover.Dropdown
        ref={holdFocus}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Mantine positions the panel
        role="dialog"
        aria-label={label}
        tabIndex={-1}
      >
        <Suspense>{children(close)}</Suspense>
      </MantinePopover.Dropdown>
    </MantinePopover>
  )
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
