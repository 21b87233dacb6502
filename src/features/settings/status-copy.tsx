import { Group } from "@mantine/core"
import { useState } from "react"
import {
  type CopyStatus,
  type HeldKind,
  heldKinds,
  type HoldDecision,
  type SyncStatus,
} from "../../../contract/copy.ts"
import { can, roleNames, roleNeeded } from "../../../contract/roles.ts"
import { useSession } from "../../api/session.ts"
import { useDecideHold } from "../../api/status.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { Button } from "../../ui/button.tsx"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { Notice } from "../../ui/notice.tsx"
import { RelativeTime } from "../../ui/values.tsx"
import { FactsSection } from "./settings-layout.tsx"

const places: Readonly<Record<CopyStatus["mode"], string>> = {
  file: "In a file beside the store",
  database: "In the database",
  memory: "In memory; filled again at each start",
  off: "Off",
}

/** How far the local copy is. A held one asks an administrator. */
export function CopySection({ copy }: { copy: CopyStatus }) {
  const { mode, members, orders, rewards, ledgers } = copy
  return (
    <>
      <FactsSection
        title="Local copy"
        end="Kept current with requests that are left over"
        items={[
          ...(members === null
            ? [["Lists", "One request to the service each"] as const]
            : [
                ["Members", syncedText(members, "member")] as const,
                ["Last pass", <PassTime key="members" {...members} />] as const,
              ]),
          ...(orders === null
            ? []
            : [
                ["Orders", syncedText(orders, "order")] as const,
                ["Last read", <PassTime key="orders" {...orders} />] as const,
              ]),
          ...(rewards === null ? [] : [["Rewards", syncedText(rewards, "reward")] as const]),
          ...(ledgers === null ? [] : [["Ledgers", ledgersText(ledgers)] as const]),
          ["Kept", places[mode]],
        ]}
      />
      {heldKinds.map((kind) => {
        const held = copy[kind]?.held
        return held != null && <HeldNotice key={kind} kind={kind} held={held} />
      })}
    </>
  )
}

function PassTime({ synced_at }: SyncStatus) {
  return synced_at === null ? "None yet" : <RelativeTime at={synced_at} />
}

/** “2,431 members”, or “2,300 of 10,000 members synced” before the first pass is complete. */
function syncedText({ complete, live, total }: SyncStatus, noun: string): string {
  if (complete) return counted(live, noun)
  const of = total === null ? "" : ` of ${formatCount(total)}`
  return `${formatCount(live)}${of} ${noun}s synced`
}

/** “2,431”, or “2,300 of 2,431 members” while some are still unread. */
function ledgersText({ complete, live, total }: SyncStatus): string {
  return complete || total === null
    ? formatCount(live)
    : `${formatCount(live)} of ${counted(total, "member")}`
}

type Held = NonNullable<SyncStatus["held"]>

function HeldNotice({ kind, held }: { kind: HeldKind; held: Held }) {
  const { user } = useSession()
  const [decision, setDecision] = useState<HoldDecision>()
  const needs = "settings.servers"
  const missing = formatCount(held.missing)
  return (
    <Notice
      tone="warning"
      title={
        held.reason === "key"
          ? "The service knows none of these members"
          : `${missing} of ${counted(held.live, kind.slice(0, -1))} are missing at the service`
      }
      action={
        can(user.role, needs) ? (
          <Group gap="sm">
            <Button size="xs" onClick={() => setDecision("wait")}>
              Keep them and check again
            </Button>
            <Button size="xs" onClick={() => setDecision("accept")}>
              {held.reason === "key" ? "Empty the copy" : "Remove them from the copy"}
            </Button>
          </Group>
        ) : (
          <span className="text-muted">Deciding requires the {roleNames[roleNeeded(needs)]} role.</span>
        )
      }
    >
      {held.reason === "key"
        ? `Laurel read ${missing} members of the copy by their ids, and the service has none of them. The key may be another program’s. `
        : "The service’s list lacked more than a tenth of the records that the copy holds. They may have been deleted, or the service may have sent a wrong list. "}
      Nothing was removed, and the copy isn’t updated until someone decides. <RelativeTime at={held.at} />
      {decision !== undefined && (
        <DecisionDialog kind={kind} held={held} decision={decision} onClose={() => setDecision(undefined)} />
      )}
    </Notice>
  )
}

function DecisionDialog(props: { kind: HeldKind; held: Held; decision: HoldDecision; onClose: () => void }) {
  const { kind, held, decision, onClose } = props
  const decide = useDecideHold()
  const isKey = held.reason === "key"
  const accepts = decision === "accept"
  return (
    <ConfirmDialog
      title={accepts ? (isKey ? "Empty the copy?" : `Remove these ${kind}?`) : "Check again?"}
      action={accepts ? (isKey ? "Empty the copy" : "Remove them") : "Check again"}
      tone={accepts ? "danger" : "plain"}
      busy={decide.isPending}
      error={decide.error}
      what="The copy still waits."
      onConfirm={() => decide.mutate({ kind, decision }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {accepts ? (
        <p>
          {isKey
            ? "The copy is emptied and filled again with the members of the key in use. Nothing changes at the service."
            : `The next pass removes up to ${counted(held.missing, kind.slice(0, -1))} that the service no longer lists. Nothing changes at the service; what is listed again comes back.`}
        </p>
      ) : (
        <p>
          The copy keeps them all and reads the list again. If as many are missing then, it waits for a
          decision again.
        </p>
      )}
    </ConfirmDialog>
  )
}
