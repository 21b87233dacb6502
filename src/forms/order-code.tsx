import { Button, Group, Stack, TextInput } from "@mantine/core"
import { useRef, useState } from "react"
import { limits } from "../../contract/limits.ts"
import type { OrderCode } from "../../contract/orders.ts"
import { revealOrderCode } from "../api/orders.ts"
import { CopyText } from "../ui/values.tsx"
import { RequirePermission } from "../lists/require-permission.tsx"
import { ErrorNotice } from "../ui/error-notice.tsx"
import { Notice } from "../ui/notice.tsx"

/** A digital order's code, masked; revealing requires a reason, and nothing but this component holds it. */
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
          <span className="text-muted grow" aria-label="Hidden">
            ••••••••••••
          </span>
        ) : (
          <span className="grow">
            <CopyText text={revealed.code} mono />
          </span>
        )}
        {revealed !== undefined && (
          <Button size="xs" onClick={() => setRevealed(undefined)}>
            Hide
          </Button>
        )}
        {revealed === undefined && !asking && (
          <RequirePermission permission="secrets.reveal">
            <Button size="xs" onClick={() => setAsking(true)}>
              Reveal
            </Button>
          </RequirePermission>
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
  const { orderId, onRevealed, onCancel } = props
  const [reason, setReason] = useState("")
  // Not a query or a mutation: their caches would keep the code.
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const sending = useRef(false)
  const reveal = async () => {
    if (sending.current || reason.trim() === "") return
    sending.current = true
    setBusy(true)
    setError(null)
    try {
      onRevealed(await revealOrderCode(orderId, reason.trim()))
    } catch (failure) {
      setError(failure)
      setBusy(false)
    } finally {
      sending.current = false
    }
  }
  return (
    <Stack
      component="form"
      gap={12}
      onSubmit={(event) => {
        event.preventDefault()
        void reveal()
      }}
    >
      <TextInput
        size="md"
        label="Reason for revealing"
        description="Saved in the audit log with your name."
        autoComplete="off"
        data-autofocus
        maxLength={limits.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {error !== null && <ErrorNotice error={error} what="Couldn’t reveal the code." />}
      <Group gap={8}>
        <Button onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" loading={busy} disabled={reason.trim() === ""}>
          Reveal the code
        </Button>
      </Group>
    </Stack>
  )
}
