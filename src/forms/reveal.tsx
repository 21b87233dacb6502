import { Group, Stack, TextInput } from "@mantine/core"
import { type FormEvent, useRef, useState } from "react"
import { limits } from "../../contract/limits.ts"
import type { OrderCode } from "../../contract/orders.ts"
import { revealOrderCode } from "../api/orders.ts"
import { RequirePermission } from "../lists/require-permission.tsx"
import { ErrorNotice, Notice } from "../ui/notice.tsx"
import { CopyText } from "../ui/values.tsx"
import { Button } from "../ui/button.tsx"

/**
 * Reads a secret for a given reason and passes it to `onRevealed`. Neither a query nor a mutation: their caches would
 * store the secret.
 */
export function useReveal<T>(read: (reason: string) => Promise<T>, onRevealed: (secret: T) => void) {
  const [typed, setTyped] = useState("")
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const inFlight = useRef(false)
  const reason = typed.trim()
  const reveal = async () => {
    if (inFlight.current || reason === "") return
    inFlight.current = true
    setBusy(true)
    setError(null)
    try {
      onRevealed(await read(reason))
    } catch (failure) {
      setError(failure)
    } finally {
      inFlight.current = false
      setBusy(false)
    }
  }
  return {
    busy,
    error,
    missing: reason === "",
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      void reveal()
    },
    field: (
      <TextInput
        size="md"
        label="Reason for revealing"
        description="Saved in the audit log with your name."
        autoComplete="off"
        data-autofocus
        readOnly={busy}
        maxLength={limits.reason}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    ),
  }
}

/**
 * The masked code of a digital order. Revealing it requires a reason, which is in the audit log. The code is only in
 * this component's state.
 */
export function CodeReveal({ orderId }: { orderId: string }) {
  const [revealed, setRevealed] = useState<OrderCode>()
  const [asking, setAsking] = useState(false)
  if (revealed?.code === null) {
    return (
      <Notice tone="info" title="The order has no code">
        {revealed.message}
      </Notice>
    )
  }
  return (
    <>
      <Group gap={12} wrap="nowrap" mih={48} px={12} py={6} fz="md" className="card">
        <span className="text-muted">Code</span>
        {revealed === undefined ? (
          <>
            <span className="text-muted grow" aria-label="Hidden">
              ••••••••••••
            </span>
            {!asking && (
              <RequirePermission permission="secrets.reveal">
                <Button size="xs" onClick={() => setAsking(true)}>
                  Reveal
                </Button>
              </RequirePermission>
            )}
          </>
        ) : (
          <>
            <span className="grow">
              <CopyText text={revealed.code} mono />
            </span>
            <Button size="xs" onClick={() => setRevealed(undefined)}>
              Hide
            </Button>
          </>
        )}
      </Group>
      {asking && (
        <ReasonForm
          orderId={orderId}
          onRevealed={(code) => {
            setAsking(false)
            setRevealed(code)
          }}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  )
}

function ReasonForm(props: { orderId: string; onRevealed: (code: OrderCode) => void; onCancel: () => void }) {
  const reveal = useReveal((reason) => revealOrderCode(props.orderId, reason), props.onRevealed)
  return (
    <Stack component="form" gap={12} onSubmit={reveal.onSubmit}>
      {reveal.field}
      <ErrorNotice error={reveal.error} what="Couldn’t reveal the code." />
      <Group gap={8}>
        <Button onClick={props.onCancel} disabled={reveal.busy}>
          Cancel
        </Button>
        <Button type="submit" loading={reveal.busy} disabled={reveal.missing}>
          Reveal the code
        </Button>
      </Group>
    </Stack>
  )
}
