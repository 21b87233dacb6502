import { Checkbox, Group, Stack } from "@mantine/core"
import { useState } from "react"
import type { Server } from "../../../contract/status.ts"
import { useStateStopped } from "../../api/status.ts"
import { counted, formatCount } from "../../lib/format.ts"
import { Button } from "../../ui/button.tsx"
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx"
import { type DataColumn, DataTable } from "../../ui/data-table.tsx"
import { Section } from "../../ui/page-header.tsx"
import { StatusLabel } from "../../ui/status.tsx"
import { RelativeTime } from "../../ui/values.tsx"

/** The servers that work on the store. An administrator can state that a silent one is stopped. */
export function ServersSection({ servers }: { servers: readonly Server[] }) {
  const [stopped, setStopped] = useState<Server>()
  const columns: readonly DataColumn<Server>[] = [
    {
      label: "Server",
      cell: (server) => (
        <Group gap="0 8px">
          <span className="wrap-anywhere">{nameOf(server)}</span>
          {server.state === "this" && <span className="text-muted">This one</span>}
          {server.state === "silent" && (
            <StatusLabel status={{ icon: "alert-triangle", tone: "warning", word: "Silent" }} />
          )}
          {server.process_id !== null && (
            <span className="l-meta text-secondary wrap-anywhere">process {placeOf(server)}</span>
          )}
        </Group>
      ),
    },
    {
      label: "Open rows",
      width: 96,
      end: true,
      hideBelow: "phone",
      cell: ({ rows }) => formatCount(rows),
    },
    {
      label: "Last sign of life",
      width: 128,
      cell: ({ seen_at }) => <RelativeTime at={seen_at} className="text-secondary" />,
    },
    {
      label: "Actions",
      quiet: true,
      end: true,
      width: 96,
      cell: (server) =>
        server.state === "silent" && (
          <Button size="xs" aria-label={`${nameOf(server)} is stopped`} onClick={() => setStopped(server)}>
            It’s stopped
          </Button>
        ),
    },
  ]
  return (
    <Section title="Servers" end="Each gives a sign of life every 5 s">
      <DataTable
        label="Servers"
        columns={columns}
        rows={servers.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))}
        keyOf={({ id }) => id}
      />
      {stopped !== undefined && <StoppedDialog server={stopped} onClose={() => setStopped(undefined)} />}
    </Section>
  )
}

const nameOf = ({ name, host, id }: Server) => name ?? host ?? id

const placeOf = ({ host, name, process_id: process }: Server) =>
  name === null || host === null ? process : `${process} on ${host}`

function StoppedDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const state = useStateStopped()
  const [checked, setChecked] = useState(false)
  const rows = counted(server.rows, "row")
  return (
    <ConfirmDialog
      title="This server is stopped"
      action="It’s stopped"
      tone="danger"
      ready={checked}
      busy={state.isPending}
      error={state.error}
      what="The server’s rows still wait."
      onConfirm={() => state.mutate(server.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {nameOf(server)} last gave a sign of life <RelativeTime at={server.seen_at} />. It may be stopped, or
        only frozen or cut off from the database.
      </p>
      <Stack component="ol" gap={6} ps={20} style={{ listStyle: "decimal" }}>
        <li>
          Find it where you run Laurel: process {server.process_id ?? "unknown"} on{" "}
          {server.host ?? "an unknown host"}.
        </li>
        <li>
          Check that the process has ended, or that its container or machine no longer exists. If not, end it.
        </li>
        <li>
          Then confirm here. What it sent and got no response to counts as ended ({rows}): it is looked up,
          and sent again if it wasn’t carried out.
        </li>
      </Stack>
      <p className="text-secondary">
        If it still runs, a row may be done twice. Without your confirmation the same happens by itself, at
        least 10 minutes after a row was sent.
      </p>
      <Checkbox
        label="I checked that this server is stopped"
        checked={checked}
        onChange={(event) => setChecked(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}
