import { useRef, type FormEvent, type ReactNode } from "react"
import type { FieldValues } from "react-hook-form"
import { placeProblems } from "./server-problems.ts"
import type { DeskForm } from "./use-desk-form.ts"

/** What every form shell must be told. Forgetting `submitError` or `busy` is a type error. */
export interface FormShellProps<I extends FieldValues, O> {
  form: DeskForm<I, O>
  /** Sends it. Its rejection is the same error that `submitError` shows. */
  onSubmit: (values: O) => Promise<unknown>
  /** What went wrong last time; null when nothing did. */
  submitError: Error | null
  /** While it runs, nothing else on the form can be changed. */
  busy: boolean
  /** Nothing can be sent yet, and the form says why. */
  held?: boolean
  /** What was not done when there is an error: "The member was not created." */
  notDone: string
  /** The effect, on the button: "Create Ana Silva". */
  action: string
  /** The same while it runs: "Creating Ana Silva". */
  running: string
  children: ReactNode
}

/**
 * The submit handler of a form shell: one submission at a time, the first invalid field gets the focus, and what
 * the server found wrong lands at its field.
 */
export function useSubmit<I extends FieldValues, O>({
  form,
  onSubmit,
  busy,
  held = false,
}: FormShellProps<I, O>) {
  const underway = useRef(false)
  const { methods } = form
  return async (event?: FormEvent<HTMLFormElement>): Promise<void> => {
    event?.preventDefault()
    // `busy` arrives with the next render; a double click is faster.
    if (busy || held || underway.current) return
    underway.current = true
    try {
      await methods.handleSubmit(async (values) => {
        try {
          await onSubmit(values)
        } catch (error) {
          // The shell shows it through `submitError`.
          placeProblems(methods, error)
        }
      })(event)
    } finally {
      underway.current = false
    }
  }
}
