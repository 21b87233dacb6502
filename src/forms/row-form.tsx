import { Group, Stack } from "@mantine/core"
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react"
import type { FieldValues } from "react-hook-form"
import { useFocusBack, useSubmitKey } from "../ui/hooks.ts"
import { FormError, type FormShellProps, SubmitButton, useFormShell } from "./form.tsx"
import classes from "./row-form.module.css"
import { Button } from "../ui/button.tsx"

/**
 * A form at a cell of a list's row (`ListColumn.edit`): Enter saves, Escape cancels. Unchanged it closes on blur;
 * changed it stays, even if the row is removed, and confirms before the page is left.
 */
export function RowForm<I extends FieldValues, O>(
  props: FormShellProps<I, O> & {
    /** Field and record: "Edit the tracking number of ord_1". */
    label: string
    /** Summary of the record, above the fields. */
    record: ReactNode
    /** The row is no longer in the list. */
    removed: boolean
    wide?: boolean
    errorNote?: ReactNode
    /** Effect of saving. */
    note: ReactNode
    /** Opens the record's full form in its drawer. */
    onMore: () => void
    onClose: () => void
  },
) {
  const { busy, action, running, onClose } = props
  const { submit, guard, isDirty, button } = useFormShell(props)
  const panel = useRef<HTMLDialogElement>(null)
  useFocusBack()
  useSubmitKey()
  useEffect(() => {
    const first = panel.current?.querySelector("input")
    first?.focus({ preventScroll: true })
    first?.select()
  }, [])
  const leave = useEffectEvent((to: EventTarget | null) => {
    if (to instanceof Node && !panel.current?.contains(to) && !isDirty && !busy) onClose()
  })
  const cancel = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || busy) return
    event.stopPropagation()
    onClose()
  })
  useEffect(() => {
    const until = new AbortController()
    panel.current?.addEventListener("keydown", (event) => cancel(event), until)
    document.addEventListener("pointerdown", ({ target }) => leave(target), until)
    document.addEventListener("focusin", ({ target }) => leave(target), until)
    return () => until.abort()
  }, [])
  return (
    <>
      <dialog
        ref={panel}
        open
        aria-label={props.label}
        className={classes.panel}
        data-row-form
        data-wide={props.wide || undefined}
        data-asking={guard.asking || undefined}
      >
        <form noValidate onSubmit={(event) => void submit(event)}>
          <Stack gap={12}>
            <span className="caption truncate">
              {props.record}
              {props.removed && ", no longer in this list"}
            </span>
            {props.errorNote || <FormError {...props} />}
            {props.children}
            <p className={`${classes.note} l-meta text-secondary`} aria-live="polite">
              {props.note}
            </p>
            <Group gap={8} justify="flex-end">
              <Button
                variant="subtle"
                aria-disabled={busy || undefined}
                onClick={busy ? undefined : props.onMore}
              >
                More fields
              </Button>
              <Button aria-disabled={busy || undefined} onClick={busy ? undefined : onClose}>
                Cancel
              </Button>
              <SubmitButton {...{ action, running }} {...button} />
            </Group>
          </Stack>
        </form>
      </dialog>
      {guard.dialog}
    </>
  )
}
