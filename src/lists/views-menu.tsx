import { Box, Checkbox, Group, Stack, TextInput } from "@mantine/core"
import { IconCheck, IconHome, IconUsers } from "@tabler/icons-react"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import type { ListView, ViewBody } from "../../contract/views.ts"
import { useSession } from "../api/session.ts"
import { useDefaultView, useDeleteView, useSaveView } from "../api/views.ts"
import { newKey } from "../lib/new-key.ts"
import { notify } from "../ui/notify.tsx"
import { ErrorNotice } from "../ui/error-notice.tsx"
import { Button } from "../ui/button.tsx"

interface ViewsMenuProps {
  /** Plural of the records, such as "members"; names the view without filters. */
  noun: string
  current: ListView | undefined
  /** The list differs from the saved view. */
  changed: boolean
  /** The current state of the list. */
  shown: Pick<ViewBody, "list" | "search" | "columns">
  onOpen: (view: ListView | undefined) => void
  close: () => void
}

/** Opens, saves, renames and deletes views of a list, personal and shared ones, and sets the default view. */
export function ViewsMenu({ noun, current, changed, shown, onOpen, close }: ViewsMenuProps) {
  const { user, permissions, views } = useSession()
  const router = useRouter()
  const [naming, setNaming] = useState<"new" | "current">()
  const save = useSaveView()
  const remove = useDeleteView()
  const setDefault = useDefaultView(shown.list)
  const grant = permissions["views.share"]
  const byDefault = views?.defaults[shown.list]
  const mayChange = current !== undefined && (!current.shared || grant === "yes" || current.by.id === user.id)
  const create = (how: Pick<ViewBody, "name" | "shared">) => {
    const id = newKey()
    save.mutate(
      { ...shown, ...how, id },
      {
        onSuccess: ({ all: saved }) => {
          onOpen(saved.find((view) => view.id === id))
          close()
        },
      },
    )
  }
  const drop = (view: ListView) =>
    remove.mutate(view.id, {
      onSuccess: () => {
        onOpen(undefined)
        close()
        notify({
          id: `view-${view.id}`,
          tone: "success",
          title: `View “${view.name}” deleted`,
          undo: async () => {
            await save.mutateAsync(view)
            if (router.state.location.pathname === `/${view.list}`) onOpen({ ...view, search: shown.search })
            return { tone: "success", title: `View “${view.name}” restored` }
          },
        })
      },
    })

  return (
    <Stack w={264} gap={12}>
      <ViewList
        {...{ noun, current, byDefault }}
        views={(views?.all ?? []).filter(({ list }) => list === shown.list)}
        onOpen={(view) => {
          onOpen(view)
          close()
        }}
      />
      {naming === undefined ? (
        <Stack gap={10} pt={12} className="line-above">
          {current !== undefined && (
            <Checkbox
              label="Open the list with this view"
              checked={current.id === byDefault}
              aria-disabled={setDefault.isPending}
              onChange={({ currentTarget: { checked } }) =>
                setDefault.isPending || setDefault.mutate(checked ? current.id : null)
              }
            />
          )}
          <Group gap={6}>
            {mayChange && changed && (
              <Button
                size="xs"
                loading={save.isPending}
                onClick={() => save.mutate({ ...current, ...shown })}
              >
                Save changes
              </Button>
            )}
            <Button size="xs" onClick={() => setNaming("new")}>
              Save as a new view
            </Button>
            {mayChange && (
              <>
                <Button size="xs" onClick={() => setNaming("current")}>
                  Rename
                </Button>
                <Button size="xs" loading={remove.isPending} onClick={() => drop(current)}>
                  Delete
                </Button>
              </>
            )}
          </Group>
        </Stack>
      ) : (
        <NameForm
          named={naming === "current" ? current : undefined}
          mayShare={grant !== "no"}
          busy={save.isPending}
          onSave={(how) => {
            if (naming === "new" || current === undefined) create(how)
            else save.mutate({ ...current, ...how }, { onSuccess: () => setNaming(undefined) })
          }}
          onCancel={() => setNaming(undefined)}
        />
      )}
      <ErrorNotice error={save.error ?? remove.error ?? setDefault.error} what="" />
    </Stack>
  )
}

function ViewList(props: {
  noun: string
  views: readonly ListView[]
  current: ListView | undefined
  byDefault: string | undefined
  onOpen: (view: ListView | undefined) => void
}) {
  const { noun, current, byDefault, onOpen } = props
  const views = props.views.toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <Box component="ul" m={-12} mb={0} mah={320} className="scroll">
      {[undefined, ...views].map((view) => (
        <li key={view?.id ?? ""}>
          <Button
            variant="choice"
            aria-pressed={view === current}
            rightSection={
              <Group gap={6} wrap="nowrap">
                {view !== undefined && view.id === byDefault && <Sign Icon={IconHome} says="default" />}
                {view?.shared === true && <Sign Icon={IconUsers} says={`shared by ${view.by.name}`} />}
                {view === current && <IconCheck size={16} stroke={1.75} aria-hidden />}
              </Group>
            }
            onClick={() => onOpen(view)}
          >
            <span className="truncate">{view?.name ?? `All ${noun}`}</span>
          </Button>
        </li>
      ))}
    </Box>
  )
}

function Sign({ Icon, says }: { Icon: typeof IconHome; says: string }) {
  return (
    <>
      <Icon size={16} stroke={1.75} aria-hidden className="text-muted" />
      <span className="visually-hidden">, {says}</span>
    </>
  )
}

const focusField = (field: HTMLInputElement | null) => field?.focus()

function NameForm(props: {
  named: ListView | undefined
  mayShare: boolean
  busy: boolean
  onSave: (how: Pick<ViewBody, "name" | "shared">) => void
  onCancel: () => void
}) {
  const { named, mayShare, busy, onSave, onCancel } = props
  const [name, setName] = useState(named?.name ?? "")
  const [shared, setShared] = useState(named?.shared ?? false)
  return (
    <Stack
      component="form"
      gap={10}
      pt={12}
      className="line-above"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== "") onSave({ name: name.trim(), shared })
      }}
    >
      <TextInput
        ref={focusField}
        label="Name"
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {mayShare && (
        <Checkbox
          label="Share with everybody"
          checked={shared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
      )}
      <Group gap={6}>
        <Button size="xs" type="submit" variant="filled" loading={busy} disabled={name.trim() === ""}>
          Save
        </Button>
        <Button size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
