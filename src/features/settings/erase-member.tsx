import { Group, Stack, TextInput } from "@mantine/core"
import { useState } from "react"
import { limits } from "../../../contract/limits.ts"
import type { ErasedMember } from "../../../contract/members.ts"
import { useEraseMember } from "../../api/members.ts"
import { counted } from "../../lib/format.ts"
import { Button } from "../../ui/button.tsx"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { Notice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"

const title = "Erase a member’s local data"

/** Erases what this server keeps of one member, by id: perhaps the service has no such member any more. */
export function EraseMember() {
  const [typed, setTyped] = useState("")
  const [asks, setAsks] = useState(false)
  const erase = useEraseMember()
  const id = typed.trim()
  return (
    <Section title={title}>
      <p className="caption">
        For people who ask to be forgotten. Members deleted at the service are erased here by themselves,
        within two syncs.
      </p>
      <Stack gap="sm" mt={12}>
        <Group
          component="form"
          align="end"
          gap="sm"
          wrap="nowrap"
          onSubmit={(event) => {
            event.preventDefault()
            if (id !== "") setAsks(true)
          }}
        >
          <TextInput
            label="Member id"
            size="md"
            className="grow"
            autoComplete="off"
            spellCheck={false}
            maxLength={limits.shortText}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button type="submit" size="md" disabled={id === ""}>
            Erase…
          </Button>
        </Group>
        {erase.isSuccess && <Erased id={erase.variables} erased={erase.data} />}
      </Stack>
      {asks && (
        <ConfirmDialog
          title={`Erase the local data of ${id}?`}
          action="Erase"
          tone="danger"
          busy={erase.isPending}
          error={erase.error}
          what="Some of it may still be here. You can erase it again."
          onClose={() => setAsks(false)}
          onConfirm={() => erase.mutate(id, { onSuccess: () => setAsks(false) })}
        >
          <p>
            This removes the copied record and ledger, the stored name, and captured addresses that no open
            order needs. It can’t be undone.
          </p>
          <p>{stays}</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

const stays =
  "Jobs, notes, gift cards, the books and the audit log keep theirs. Nothing changes at the service: a member who still exists there comes back with the next sync."

function Erased({ id, erased: { record, entries } }: { id: string; erased: ErasedMember }) {
  const parts = [record && "the copied record", entries > 0 && counted(entries, "ledger entry")].filter(
    Boolean,
  )
  return (
    <Notice
      tone="success"
      title={parts.length > 0 ? `Erased ${parts.join(" and ")} of ${id}` : `Nothing was copied of ${id}`}
    >
      The stored name and unneeded addresses are erased, too. {stays}
    </Notice>
  )
}
