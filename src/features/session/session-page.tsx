import "@mantine/core/styles/PasswordInput.layer.css"
import { Box, Group, PasswordInput, Stack, TextInput, type TextInputProps } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { type ChangeEvent, useEffect, useRef, useState, type ReactNode } from "react"
import type * as z from "zod/mini"
import type { About } from "../../../contract/session.ts"
import { signInBody } from "../../../contract/users.ts"
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
          <Box h={56} ms={-4}>
            <Logo size={56} />
          </Box>
          <Box component="h1" tabIndex={-1} mt="md" fz={28} lh="36px" lts="-0.02em">
            {title}
          </Box>
          <Group component="p" gap="sm" fz="var(--l-fs-body)" className="text-secondary">
            {lead}
            {about && side === undefined && <EnvBadge environment={about.environment} />}
          </Group>
          <Stack mt="lg">{children}</Stack>
        </div>
        {side !== undefined && <div className={classes.side}>{side}</div>}
      </main>
      <Group
        component="footer"
        justify="center"
        gap="4px 16px"
        mih={56}
        px="md"
        py="sm"
        className="caption line-above"
      >
        <span>Laurel{about ? ` ${about.version}` : ""}</span>
        <SchemeChoice />
      </Group>
    </div>
  )
}

const schemes = { light: "Light", dark: "Dark", auto: "Match system" } as const

function SchemeChoice() {
  const chosen = useAppearance((state) => state.colourScheme)
  return (
    <Group component="fieldset" display="inline-flex" gap="xs" aria-label="Colours">
      {(["light", "dark", "auto"] as const).map((scheme) => (
        <Button
          key={scheme}
          size="xs"
          variant="subtle"
          aria-pressed={chosen === scheme}
          {...(chosen === scheme && { c: "var(--l-text)" })}
          onClick={() => setColourScheme(scheme)}
        >
          {schemes[scheme]}
        </Button>
      ))}
    </Group>
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
      onSubmit={(event) => {
        event.preventDefault()
        if (!disabled) void form.submit(body())
      }}
    >
      <Stack>
        {children}
        <Button type="submit" variant="filled" size="md" fullWidth loading={form.busy} disabled={disabled}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}

/** The user name under which a password manager saves the form's password. */
export function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** A field of `usePlainForm`. */
export function PlainField(
  props: Pick<
    TextInputProps,
    "label" | "value" | "error" | "readOnly" | "type" | "name" | "autoComplete" | "ref"
  > & { onChange: (value: string) => void; help?: string },
) {
  const { onChange, help, error, type, ...others } = props
  const field = {
    ...others,
    size: "md",
    error,
    description: help,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onChange(currentTarget.value),
  }
  return type === "password" ? (
    <PasswordInput {...field} visibilityToggleButtonProps={{ "aria-label": "Show the password" }} />
  ) : (
    <TextInput {...field} type={type} />
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

/** Why a form of these pages was refused. */
export function RefusalNotice(props: { error: unknown; what?: string; action?: ReactNode }) {
  if (props.error === null) return null
  const { tone, title, body, next, detail } = explain(props.error)
  return (
    <Notice tone={tone} title={title} detail={detail} action={props.action}>
      {[props.what, body, next].filter(Boolean).join(" ")}
    </Notice>
  )
}
