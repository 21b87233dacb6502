import { Box, Checkbox, Group, Stack, TextInput } from "@mantine/core"
import { IconCheck, IconHome, IconUsers } from "@tabler/icons-react"
import { useRouter } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import * as z from "zod/mini"
import type { ListView, ViewBody } from "../../contract/views.ts"
import { useSession } from "../api/session.ts"
import { useDefaultView, useDeleteView, useSaveView } from "../api/views.ts"
import { newKey } from "../lib/new-key.ts"
import { notify } from "../ui/notify.tsx"
import { ErrorNotice } from "../ui/notice.tsx"
import { Button, buttonIcon } from "../ui/button.tsx"
import { initialFocus } from "../ui/hooks.ts"

interface ViewsMenuProps {
  /** Plural of the records, such as "members"; names the view without filters. */
  noun: string
  current: ListView | undefined
  /** The list differs from the saved view. */
  changed: boolean
  /** The current state of the list. */
  shown: Pick<ViewBody, "list" | "search" | "columns">
  onOpen: (view: ListView | undefined) => void
  /** What can be done with everything in the current view. */
  viewActions?: ((view: ListView) => ReactNode) | undefined
  close: () => void
}

/** Opens, saves, renames and deletes views of a list, personal and shared ones, and sets the default view. */
export function ViewsMenu({ noun, current, changed, shown, onOpen, viewActions, close }: ViewsMenuProps) {
  const { user, permissions, views } = useSession()
  const router = useRouter()
  const [naming, setNaming] = useState<"new" | "current">()
  const save = useSaveView()
  const remove = useDeleteView()
  const setDefault = useDefaultView(shown.list)
  const grant = permissions["views.share"]
  const byDefault = views?.defaults[shown.list]
  const listed = (views?.all ?? [])
    .filter(({ list }) => list === shown.list)
    .toSorted((one, other) => one.name.localeCompare(other.name))
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
      <Box component="ul" m={-12} mb={0} mah={320} className="scroll">
        {[undefined, ...listed].map((view) => (
          <ViewItem
            key={view?.id ?? ""}
            label={view?.name ?? `All ${noun}`}
            view={view}
            isCurrent={view === current}
            isDefault={view !== undefined && view.id === byDefault}
            onOpen={() => {
              onOpen(view)
              close()
            }}
          />
        ))}
      </Box>
      {naming === undefined ? (
        <Stack gap={10} pt={12} className="line-above">
          {current !== undefined && !changed && viewActions?.(current)}
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

function ViewItem(props: {
  label: string
  view: ListView | undefined
  isCurrent: boolean
  isDefault: boolean
  onOpen: () => void
}) {
  const { label, view, isCurrent, isDefault, onOpen } = props
  return (
    <li>
      <Button
        variant="choice"
        aria-pressed={isCurrent}
        rightSection={
          <Group gap={6} wrap="nowrap">
            {isDefault && <Sign Icon={IconHome} says="default" />}
            {view?.shared === true && <Sign Icon={IconUsers} says={`shared by ${view.by.name}`} />}
            {isCurrent && <IconCheck {...buttonIcon} />}
          </Group>
        }
        onClick={onOpen}
      >
        <span className="truncate">{label}</span>
      </Button>
    </li>
  )
}

function Sign({ Icon, says }: { Icon: typeof IconHome; says: string }) {
  return (
    <>
      <Icon {...buttonIcon} className="text-muted" />
      <span className="visually-hidden">, {says}</span>
    </>
  )
}

/** Name of a view, and whether it is shared. */
function NameForm(props: {
  named: ListView | undefined
  mayShare: boolean
  busy: boolean
  onSave: (how: Pick<ViewBody, "name" | "shared">) => void
  onCancel: () => void
}) {
  const { named, mayShare, busy, onSave, onCancel } = props
  return (
    <Stack
      component="form"
      gap={10}
      pt={12}
      className="line-above"
      onSubmit={(event) => {
        event.preventDefault()
        const form: EventTarget = event.currentTarget
        const typed = new FormData(form instanceof HTMLFormElement ? form : undefined)
        const name = z.string().parse(typed.get("name")).trim()
        if (name !== "") onSave({ name, shared: typed.has("shared") })
      }}
    >
      <TextInput
        {...initialFocus}
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={60}
        defaultValue={named?.name}
      />
      {mayShare && <Checkbox label="Share with everybody" name="shared" defaultChecked={named?.shared} />}
      <Group gap={6}>
        <Button size="xs" type="submit" variant="filled" loading={busy}>
          Save
        </Button>
        <Button size="xs" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
