import { zodResolver } from "@hookform/resolvers/zod"
import { Box, Group, Stack, Loader } from "@mantine/core"
import { useBlocker, useCanGoBack, useRouter } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from "react"
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type Resolver,
  useForm,
  useFormState,
  type UseFormReturn,
} from "react-hook-form"
import type * as z from "zod/mini"
import type { FieldProblem } from "../../contract/response.ts"
import { ApiError } from "../lib/errors.ts"
import { dropDraft, saveDraft, readDraft } from "../lib/draft-store.ts"
import { sameValue } from "../lib/same-value.ts"
import { BusyFields } from "../ui/field-parts.tsx"
import { ConfirmDialog } from "../ui/confirm-dialog.tsx"
import { ErrorNotice, Notice } from "../ui/notice.tsx"
import { SideDrawer } from "../ui/side-drawer.tsx"
import classes from "./form.module.css"
import { Button } from "../ui/button.tsx"

type AppForm<I extends FieldValues, O> = ReturnType<typeof useAppForm<I, O>>

/** A form with the fields on the screen, validated by a schema on submit, with a draft that survives a reload. */
export function useAppForm<I extends FieldValues, O>(options: {
  /** Called for each validation: creating a schema is slow, and the form renders on every key. */
  readonly schema: () => z.ZodMiniType<O, I>
  readonly values: I & DefaultValues<I>
  /** Initial values if the user typed in an earlier form already. */
  readonly typed?: I | undefined
  readonly draft?: { readonly key: string; readonly shape: z.ZodMiniType<I> }
}) {
  const { schema, values, typed, draft } = options
  const base = useRef<I>(values)
  const [begin] = useState(typed)
  const [found, setFound] = useState(() => {
    const stored = draft && typed === undefined ? readDraft(draft.key, draft.shape) : null
    return stored !== null && sameValue(stored.values, values) ? null : stored
  })
  const resolver: Resolver<I, unknown, O> = (...args) => zodResolver(schema())(...args)
  const methods = useForm<I, unknown, O>({ resolver, defaultValues: values })
  const { reset, subscribe } = methods

  const key = draft?.key
  useEffect(() => {
    const restored = found === null ? begin : merge(base.current, found.base, found.values)
    if (restored === undefined) return
    reset(restored, { keepDefaultValues: true })
    // The restored values are based on the current record.
    if (key !== undefined) saveDraft(key, { values: restored, base: base.current })
  }, [found, begin, key, reset])

  useEffect(() => {
    if (key === undefined) return undefined
    return subscribe({
      formState: { values: true },
      callback: ({ values: now }) => {
        if (sameValue(now, base.current)) dropDraft(key)
        else saveDraft(key, { values: now, base: base.current })
      },
    })
  }, [key, subscribe])

  const forget = () => {
    setFound(null)
    if (key !== undefined) dropDraft(key)
  }
  return {
    methods,
    restored: found !== null,
    dropDraft: forget,
    startOver: () => {
      reset(base.current)
      forget()
    },
    /** Sets the record that changes are based on. `input` stays in the fields, if given. */
    rebase: (record: I, input?: I) => {
      base.current = record
      reset(record)
      forget()
      if (input !== undefined) {
        reset(input, { keepDefaultValues: true })
        if (key !== undefined) saveDraft(key, { values: input, base: record })
      }
    },
    keepsDraft: key !== undefined,
  }
}

/** Current values with the draft's changes on top: untouched fields follow the record. */
function merge<I extends FieldValues>(now: I, before: I, typed: I): I {
  const merged = { ...now }
  for (const field of Object.keys(typed) as (keyof I)[]) {
    if (!sameValue(typed[field], before[field])) merged[field] = typed[field]
  }
  return merged
}

/** Props of `DrawerForm`, `InlineForm` and `RowForm`. `submitError` and `busy` are required. */
export interface FormShellProps<I extends FieldValues, O> {
  form: AppForm<I, O>
  onSubmit: (values: O) => Promise<unknown>
  submitError: Error | null
  busy: boolean
  disabled?: boolean
  /** Input is being looked up: a submit is delayed until that ends, and dropped if the form is then disabled. */
  waiting?: boolean
  notDone: string
  action: string
  running: string
  children: ReactNode
}

/**
 * A form in a drawer: one column, the effect on the button, its cost and shortcut below; confirms before it is closed.
 */
export function DrawerForm<I extends FieldValues, O>(
  props: FormShellProps<I, O> & {
    title: string
    onClose: () => void
    wide?: boolean | undefined
    errorNote?: ReactNode
    /** The effect in numbers, above the button. */
    preview?: ReactNode
    /** A short note below the button, such as how long it takes. */
    note?: string | undefined
  },
) {
  const { form, busy, title, onClose, action, running } = props
  const { submit, guard, button } = useFormShell(props)
  return (
    <>
      <SideDrawer
        title={title}
        wide={props.wide}
        // Escape reaches the drawer too while the confirmation is open.
        onClose={() => (guard.asking || busy ? undefined : onClose())}
        onSubmit={(event) => void submit(event)}
        foot={
          <>
            {props.preview}
            <SubmitButton {...{ action, running }} {...button} wide />
            <Group gap="sm" wrap="nowrap" className="text-secondary l-meta">
              <span className="l-num">{props.note}</span>
              <span className="at-end nowrap touch-hidden">
                <kbd>Ctrl</kbd> <kbd>Enter</kbd>
              </span>
            </Group>
          </>
        }
      >
        <BusyFields busy={busy} label={title}>
          <Stack gap={20}>
            <RestoredNotice form={form} />
            {props.errorNote || <FormError {...props} />}
            {props.children}
          </Stack>
        </BusyFields>
      </SideDrawer>
      {guard.dialog}
    </>
  )
}

/** A form in a page. Its button is disabled until something is changed. */
export function InlineForm<I extends FieldValues, O>(
  props: FormShellProps<I, O> & { label: string; wide?: boolean; before?: ReactNode; aside?: ReactNode },
) {
  const { form, busy, label, action, running } = props
  const { submit, guard, isDirty, button } = useFormShell(props)
  return (
    <>
      <form noValidate aria-label={label} onSubmit={(event) => void submit(event)}>
        <Stack maw={props.wide === true ? undefined : 640}>
          <RestoredNotice form={form} />
          <FormError {...props} />
          <BusyFields busy={busy}>
            <Stack>{props.children}</Stack>
          </BusyFields>
          <Group gap="8px 16px">
            {props.before}
            <SubmitButton {...{ action, running }} {...button} disabled={button.disabled || !isDirty} />
            {props.aside}
          </Group>
        </Stack>
      </form>
      {guard.dialog}
    </>
  )
}

/**
 * Submitting and leaving a form: `submit` runs once at a time, and the server's problems are shown at their fields. A
 * submit while the form is `waiting` runs afterwards, unless the form is disabled or was changed by then.
 */
export function useFormShell<I extends FieldValues, O>(props: FormShellProps<I, O>) {
  const { form, onSubmit, busy, disabled = false, waiting = false } = props
  const { methods } = form
  const [queued, setQueued] = useState(false)
  const { isDirty } = useFormState({ control: methods.control })
  const guard = useLeaveGuard({
    unsaved: isDirty,
    survivesReload: form.keepsDraft,
    onDiscard: form.dropDraft,
  })
  const submitting = useRef(false)
  const send = async (event?: FormEvent<HTMLFormElement>): Promise<void> => {
    // `busy` is set with the next render, which is too late for a double click.
    if (busy || disabled || submitting.current) return
    submitting.current = true
    try {
      await methods.handleSubmit(async (values) => {
        try {
          await onSubmit(values)
        } catch (error) {
          // The shell shows it through `submitError`.
          showFieldProblems(methods, error)
        }
      })(event)
    } finally {
      submitting.current = false
    }
  }
  const submit = async (event?: FormEvent<HTMLFormElement>): Promise<void> => {
    event?.preventDefault()
    if (waiting && !busy && !submitting.current) setQueued(true)
    else await send(event)
  }
  const sendQueued = useEffectEvent(() => void send().finally(() => setQueued(false)))
  useEffect(() => {
    if (queued && !waiting) sendQueued()
  }, [queued, waiting])
  useEffect(() => {
    if (!queued) return undefined
    const meant = methods.getValues()
    return methods.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        if (!sameValue(values, meant)) setQueued(false)
      },
    })
  }, [queued, methods])
  return { submit, guard, isDirty, button: { busy: busy || queued, disabled: disabled && !waiting } }
}

const typedIsLost = {
  title: "Discard unsaved changes?",
  action: "Discard",
  keep: "Keep editing",
  text: "What you typed will be lost.",
}

/** Confirms before a page with unsaved input is left. Its `dialog` contains a form, so render it next to the form. */
export function useLeaveGuard(options: {
  unsaved: boolean
  survivesReload?: boolean
  onDiscard?: () => void
  /** Text of the confirmation, if more than input is lost. */
  question?: typeof typedIsLost
}) {
  const { unsaved, survivesReload = false, onDiscard, question = typedIsLost } = options
  const { text, ...words } = question
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved && !survivesReload,
    withResolver: true,
  })
  if (blocker.status !== "blocked") return { asking: false, dialog: null }
  return {
    asking: true,
    dialog: (
      <ConfirmDialog
        {...words}
        tone="danger"
        onConfirm={() => {
          onDiscard?.()
          blocker.proceed()
        }}
        onClose={blocker.reset}
      >
        <p>{text}</p>
      </ConfirmDialog>
    ),
  }
}

/** Closes a drawer to the page it was opened from, or to the page behind it if it was opened by its link. */
export function useLeaveDrawer(toPageBehind: () => unknown): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else void toPageBehind()
  }
}

function RestoredNotice<I extends FieldValues, O>({ form }: { form: AppForm<I, O> }) {
  if (!form.restored) return null
  return (
    <Group component="output" gap="4px 12px" className="text-secondary l-meta">
      Restored your unsaved changes
      <button type="button" className="l-link" onClick={form.startOver}>
        Discard
      </button>
    </Group>
  )
}

/** Why a form was not sent, without the problems shown at its fields. */
export function FormError<I extends FieldValues, O>({ form, submitError, notDone }: FormShellProps<I, O>) {
  if (submitError === null) return null
  const problems = problemsOf(submitError)
  if (problems.length === 0) return <ErrorNotice error={submitError} what={notDone} />
  const elsewhere = problems.filter((problem) => fieldFor(problem, form.methods) === undefined)
  return (
    <Notice tone="danger" title={notDone}>
      {elsewhere.length === 0
        ? "Check the marked fields."
        : elsewhere.map(({ field, message }) => `${field}: ${message}`).join(" ")}
    </Notice>
  )
}

/** Problems by field in an error response. */
export function problemsOf(error: unknown): readonly FieldProblem[] {
  return error instanceof ApiError ? (error.details?.fields ?? []) : []
}

function fieldFor({ field }: FieldProblem, methods: { getValues: () => object }): string | undefined {
  return Object.keys(methods.getValues()).find((name) => field === name || field.startsWith(`${name}.`))
}

function showFieldProblems<I extends FieldValues, O>(methods: UseFormReturn<I, unknown, O>, error: unknown) {
  let shouldFocus = true
  for (const problem of problemsOf(error)) {
    const field = fieldFor(problem, methods)
    if (field === undefined) continue
    const inside = problem.field === field ? "" : `${problem.field.slice(field.length + 1)}: `
    methods.setError(
      // `fields` are the names of the form's own values.
      field as Path<I>,
      { type: "server", message: inside + problem.message },
      { shouldFocus },
    )
    shouldFocus = false
  }
}

/** Submits the form. Its width, colour and focus stay the same while it runs. */
export function SubmitButton(props: {
  action: string
  running: string
  busy: boolean
  wide?: boolean
  disabled: boolean
}) {
  const { action, running, busy, wide = false, disabled } = props
  return (
    <Button
      type="submit"
      variant="filled"
      size={wide ? "md" : "sm"}
      fullWidth={wide}
      disabled={disabled}
      aria-busy={busy}
      aria-disabled={busy}
      className={classes.submit}
    >
      <Box component="span" display="grid" miw={0}>
        <span className={classes.word} data-hidden={busy || undefined} aria-hidden={busy}>
          {action}
        </span>
        <span className={classes.word} data-hidden={!busy || undefined} aria-hidden={!busy}>
          <Loader />
          {running}
        </span>
      </Box>
    </Button>
  )
}
