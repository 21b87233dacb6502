import { IconAlertCircle, IconEye, IconEyeOff } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useId, useRef, useState, type ComponentProps, type ReactNode } from "react"
import type * as z from "zod/mini"
import { signInBody, type About } from "../../../contract/users.ts"
import { ApiError, appErrorLabels, explain } from "../../lib/errors.ts"
import { signIn } from "../../api/session.ts"
import { useAppearance, setColourScheme } from "../../lib/colour-scheme.ts"
import { EnvBadge, EnvBand, Logo } from "../../ui/brand.tsx"
import { useNow, usePageTitle } from "../../ui/hooks.ts"
import { Notice } from "../../ui/notice.tsx"
import classes from "./session.module.css"
import { Button } from "../../ui/button.tsx"

/** The frame of the pages without a session: sign-in and setting a password, with demo accounts. */
export function SessionPage(props: {
  about: About | undefined
  title: string
  lead: ReactNode
  children: ReactNode
  side?: ReactNode
}) {
  const { about, title, lead, children, side } = props
  usePageTitle(title)
  return (
    <div className={classes.page}>
      {about && <EnvBand environment={about.environment} />}
      <main className={classes.middle} data-columns={side === undefined ? 1 : 2}>
        <div>
          <div style={{ height: 56, marginInlineStart: -4 }}>
            <Logo size={56} />
          </div>
          <h1 tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          <p className={`text-secondary ${classes.lead}`}>
            {lead}
            {about && side === undefined && <EnvBadge environment={about.environment} />}
          </p>
          <div className={`${classes.stack} ${classes.body}`}>{children}</div>
        </div>
        {side !== undefined && <div className={classes.side}>{side}</div>}
      </main>
      <footer className={`caption line-above ${classes.footer}`}>
        <span>Laurel{about ? ` ${about.version}` : ""}</span>
        <SchemeChoice />
      </footer>
    </div>
  )
}

const schemes = { light: "Light", dark: "Dark", auto: "Match system" } as const

function SchemeChoice() {
  const chosen = useAppearance((state) => state.colourScheme)
  return (
    <fieldset className={classes.schemes} aria-label="Colours">
      {(["light", "dark", "auto"] as const).map((scheme) => (
        <button
          type="button"
          key={scheme}
          className={`hover-fill ${classes.scheme}`}
          aria-pressed={chosen === scheme}
          onClick={() => setColourScheme(scheme)}
        >
          {schemes[scheme]}
        </button>
      ))}
    </fieldset>
  )
}

/** A form without react-hook-form, to keep it out of the sign-in bundle; `send` rejects with the problems. */
export function usePlainForm<V extends Readonly<Record<string, string>>, B>(
  first: V,
  schema: z.ZodMiniType<B>,
  send: (body: B) => Promise<void>,
) {
  const [values, setValues] = useState(first)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [{ error, failedAt }, setFailure] = useState<{ error: unknown; failedAt: number }>(noFailure)
  const [busy, setBusy] = useState(false)
  const showProblems = (found: readonly { field: string; message: string }[]) =>
    // Only the first problem of a field is shown.
    setProblems(Object.fromEntries(found.toReversed().map(({ field, message }) => [field, message])))
  const submit = async (input: unknown) => {
    if (busy) return
    const body = schema.safeParse(input)
    showProblems((body.error?.issues ?? []).map(({ path, message }) => ({ field: String(path[0]), message })))
    if (!body.success) return
    setBusy(true)
    setFailure(noFailure)
    try {
      await send(body.data)
    } catch (refused) {
      const fields = refused instanceof ApiError ? (refused.details?.fields ?? []) : []
      showProblems(fields)
      setFailure(fields.length > 0 ? noFailure : { error: refused, failedAt: Date.now() })
    } finally {
      setBusy(false)
    }
  }
  const field = (name: keyof V & string) => ({
    value: values[name] ?? "",
    error: problems[name],
    readOnly: busy,
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  return { values, field, error, failedAt, busy, submit }
}

const noFailure = { error: null, failedAt: 0 }

/** A form of plain fields with one button; `body` is what is sent. */
export function PlainForm(props: {
  form: { busy: boolean; submit: (input: unknown) => Promise<void> }
  body: () => unknown
  action: string
  disabled?: boolean
  children: ReactNode
}) {
  const { form, body, action, disabled = false, children } = props
  return (
    <form
      noValidate
      className={classes.stack}
      onSubmit={(event) => {
        event.preventDefault()
        if (!disabled) void form.submit(body())
      }}
    >
      {children}
      <Button type="submit" variant="filled" size="md" fullWidth loading={form.busy} disabled={disabled}>
        {action}
      </Button>
    </form>
  )
}

/** The user name under which a password manager saves the form's password. */
export function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** A labelled input, 40 px high, in place of Mantine's, which would double the size of the sign-in bundle. */
export function PlainField(
  props: Omit<ComponentProps<"input">, "onChange" | "value"> & {
    label: string
    value: string
    onChange: (value: string) => void
    help?: string
    error?: string | undefined
  },
) {
  const { label, value, onChange, help, error, type = "text", ...others } = props
  const id = useId()
  const [shown, setShown] = useState(false)
  const secret = type === "password"
  const Eye = shown ? IconEyeOff : IconEye
  const hint = error ?? help
  return (
    <div className={classes.field}>
      <label htmlFor={id} className="l-medium">
        {label}
      </label>
      <div className={classes.control}>
        <input
          {...others}
          id={id}
          type={secret && shown ? "text" : type}
          value={value}
          className={`plain-input ${classes.input}`}
          data-secret={secret || undefined}
          aria-invalid={error !== undefined}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        {secret && (
          <button
            type="button"
            className={`hover-fill text-secondary ${classes.eye}`}
            aria-label="Show the password"
            aria-pressed={shown}
            onClick={() => setShown((was) => !was)}
          >
            <Eye size={16} stroke={1.75} aria-hidden />
          </button>
        )}
      </div>
      {hint !== undefined && (
        <p
          id={`${id}-hint`}
          className={`${classes.hint} ${error === undefined ? "caption" : "l-meta tone-text"}`}
          data-tone="danger"
        >
          {error !== undefined && <IconAlertCircle size={14} stroke={2} aria-hidden />}
          {hint}
        </p>
      )}
    </div>
  )
}

/** E-mail and password; with a known `email` only the password. Counts down while attempts are paused. */
export function CredentialsForm({ email, onDone }: { email?: string; onDone: () => void }) {
  const queryClient = useQueryClient()
  const form = usePlainForm({ email: email ?? "", password: "" }, signInBody, async (body) => {
    await signIn(queryClient, body)
    onDone()
  })
  const pausedFor = usePause(form)
  const first = useRef<HTMLInputElement>(null)

  // Autofocus: the page has no other purpose, and the dialog has taken the focus from the page.
  useEffect(() => first.current?.focus(), [])

  return (
    <PlainForm
      form={form}
      body={() => ({ ...form.values, email: form.values.email.trim() })}
      action={pausedFor > 0 ? whenAgain(pausedFor) : "Sign in"}
      disabled={pausedFor > 0}
    >
      {email === undefined && (
        <PlainField
          ref={first}
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          {...form.field("email")}
        />
      )}
      <PlainField
        type="password"
        ref={email === undefined ? null : first}
        label="Password"
        name="password"
        autoComplete="current-password"
        {...form.field("password")}
      />
      <SignInError error={form.error} pausedFor={pausedFor}>
        What you typed is kept.
      </SignInError>
    </PlainForm>
  )
}

/** Full seconds until the next sign-in attempt is allowed; 0 when it is. */
export function usePause({ error, failedAt }: { error: unknown; failedAt: number }): number {
  const now = useNow("second")
  if (!(error instanceof ApiError) || error.status !== 429) return 0
  return Math.max(0, Math.round((failedAt - now) / 1000 + (error.retryAfter ?? 60)))
}

/** The countdown, outside the live region so that it is not announced every second. */
export const whenAgain = (seconds: number) =>
  `Sign in again in ${seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}`

/** Why signing in failed; `children`: further information during a pause. The countdown is shown separately. */
export function SignInError(props: { error: unknown; pausedFor: number; children?: ReactNode }) {
  const { error, pausedFor, children } = props
  if (error instanceof ApiError && error.status === 429) {
    return (
      pausedFor > 0 && (
        <Notice tone="warning" title="Too many attempts">
          This attempt wasn’t checked. {children}
        </Notice>
      )
    )
  }
  if (!(error instanceof ApiError && error.code === "wrong_credentials")) {
    return <RefusalNotice error={error} />
  }
  const { tone, title, next } = appErrorLabels.wrong_credentials
  return (
    <Notice tone={tone} title={title}>
      {next}
    </Notice>
  )
}

/** An error message without `ErrorNotice`, which would load Mantine's button. */
export function RefusalNotice(props: { error: unknown; what?: string; action?: ReactNode }) {
  if (props.error === null) return null
  const { tone, title, body, next, detail } = explain(props.error)
  return (
    <Notice tone={tone} title={title} detail={detail} action={props.action}>
      {[props.what, body, next].filter(Boolean).join(" ")}
    </Notice>
  )
}
