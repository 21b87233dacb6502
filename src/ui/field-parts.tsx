import { Group } from "@mantine/core"
import { IconAlertCircle, IconChevronDown } from "@tabler/icons-react"
import { type ReactNode, useLayoutEffect, useRef } from "react"

/** A field's error and how to fix it; replaces its help. */
export function FieldError({ message }: { message: string }) {
  return (
    <Group component="span" gap={4} wrap="nowrap" align="flex-start">
      <IconAlertCircle size={14} stroke={2} aria-hidden style={{ marginTop: 1 }} />
      {message}
    </Group>
  )
}

/** The chevron of a select. */
export function SelectChevron() {
  return <IconChevronDown size={16} stroke={1.75} aria-hidden />
}

/**
 * A form's fields, disabled while it is sent. Disabled fields lose the focus, so the form's button has it meanwhile;
 * afterwards the first field with an error, or the previously focused one.
 */
export function BusyFields(props: { busy: boolean; label?: string; children: ReactNode }) {
  const { busy, label, children } = props
  const fields = useRef<HTMLFieldSetElement>(null)
  const before = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    const { activeElement: active } = document
    const container = fields.current?.closest("form, dialog, [role=dialog]")
    const button = container?.querySelector<HTMLElement>("button[type=submit], button[data-variant=filled]")
    if (busy) {
      const isInside = active instanceof HTMLElement && fields.current?.contains(active) === true
      before.current = isInside ? active : null
      if (isInside) button?.focus({ preventScroll: true })
    } else if (before.current !== null && (active === button || active === document.body)) {
      const wrong = fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")
      const back = wrong ?? before.current
      before.current = null
      back.focus({ preventScroll: true })
    }
  }, [busy])
  return (
    <fieldset ref={fields} disabled={busy}>
      {label !== undefined && <legend className="visually-hidden">{label}</legend>}
      {children}
    </fieldset>
  )
}
