/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a combobox with grouped options has no tag of its own */
import { Modal } from "@mantine/core"
import "@mantine/core/styles/Overlay.layer.css"
import "@mantine/core/styles/Paper.layer.css"
import "@mantine/core/styles/ModalBase.layer.css"
import "@mantine/core/styles/Modal.layer.css"
import { IconSearch } from "@tabler/icons-react"
import { useRouter } from "@tanstack/react-router"
import { useCallback, useEffect, useState, type KeyboardEvent } from "react"
import { useSession } from "../../api/permissions.ts"
import { Kbd } from "../../ui/kbd.tsx"
import { overlay } from "../shell-state.ts"
import { PaletteFoot } from "./palette-foot.tsx"
import { paletteGroups, type PaletteItem } from "./palette-items.ts"
import { PaletteMessage } from "./palette-message.tsx"
import { PaletteOption } from "./palette-option.tsx"
import classes from "./palette.module.css"
import { useMemberHits } from "./use-member-hits.ts"

const listId = "palette-list"

const close = () => overlay.set(null)

/** Search and jump: members and pages, by keyboard. */
export function Palette() {
  const session = useSession()
  const router = useRouter()
  const [typed, setTyped] = useState("")
  const [chosen, setChosen] = useState<string | null>(null)
  const [hurried, setHurried] = useState<string | null>(null)
  const text = typed.trim().replace(/\s+/g, " ")
  const hits = useMemberHits(text)
  const groups = paletteGroups(session, text, hits.members)
  const items = groups.flatMap((group) => group.items)
  const current = items.find(({ id }) => id === chosen) ?? items[0]

  const open = useCallback(
    (item: PaletteItem) => {
      close()
      void router.navigate({ href: item.to })
    },
    [router],
  )

  // Enter came before the answer: the first hit opens when it is there.
  useEffect(() => {
    if (hurried === text && !hits.searching && current !== undefined) open(current)
  }, [hurried, text, hits.searching, current, open])

  const press = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0 && items.length > 0) {
      event.preventDefault()
      const at = current === undefined ? -1 : items.indexOf(current)
      setChosen(items[(at + step + items.length) % items.length]?.id ?? null)
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (current?.kind === "member" || (current !== undefined && !hits.searching)) open(current)
      else setHurried(text)
    }
  }

  return (
    <Modal.Root
      opened
      onClose={close}
      size={640}
      centered={false}
      yOffset="var(--palette-top)"
      classNames={{ root: classes.root, content: classes.content }}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search or jump to">
        <div className={classes.search}>
          <IconSearch size={20} stroke={1.75} aria-hidden className={classes.icon} />
          <input
            data-autofocus
            className={classes.input}
            value={typed}
            placeholder={hits.allowed ? "Search members, or jump to a page" : "Jump to a page"}
            aria-label={hits.allowed ? "Search members, or jump to a page" : "Jump to a page"}
            role="combobox"
            aria-expanded
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={current === undefined ? undefined : optionId(current)}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value)
              setChosen(null)
              setHurried(null)
            }}
            onKeyDown={press}
          />
          <Kbd>Esc</Kbd>
        </div>
        <div className={classes.list} id={listId} role="listbox" aria-label="Results">
          {groups.map((group) => (
            <div key={group.label} role="group" aria-label={group.label}>
              <div className={classes.heading} aria-hidden>
                {group.label}
              </div>
              {group.items.map((item) => (
                <PaletteOption
                  key={item.id}
                  id={optionId(item)}
                  item={item}
                  text={text}
                  selected={item === current}
                  onChoose={() => open(item)}
                  onPoint={() => setChosen(item.id)}
                />
              ))}
            </div>
          ))}
        </div>
        <PaletteMessage text={text} hits={hits} empty={items.length === 0} />
        <PaletteFoot hits={hits} />
      </Modal.Content>
    </Modal.Root>
  )
}

function optionId(item: PaletteItem): string {
  return `palette-${encodeURIComponent(item.id)}`
}
