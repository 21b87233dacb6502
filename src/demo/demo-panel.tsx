import "@mantine/core/styles/Switch.layer.css"
import "@mantine/core/styles/Tabs.layer.css"
import { Box, Button, Group, SimpleGrid, Stack, Switch, Tabs } from "@mantine/core"
import { IconAdjustmentsHorizontal } from "@tabler/icons-react"
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react"
import { useStore } from "zustand"
import { roleNames, roles } from "../../contract/roles.ts"
import { longDay } from "../lib/time.ts"
import { Notice } from "../ui/notice.tsx"
import type { DemoControls, PanelView } from "./api-handler.ts"
import classes from "./demo.module.css"
import { faultPresets } from "../../sandbox/seed/fault-presets.ts"
import { PanelHeader } from "./panel-header.tsx"
import { renderDemo } from "./stop-page.tsx"

const Tour = lazy(async () => ({ default: (await import("./tour.tsx")).Tour }))

/** Mounts the demo panel in a separate React root, independent of Laurel. */
export function mountPanel(controls: DemoControls): void {
  renderDemo(<DemoPanel controls={controls} />)
}

type PartProps = { controls: DemoControls; view: PanelView }

/** The demo's button, and its panel: tour and role, faults, reset. */
function DemoPanel({ controls }: { controls: DemoControls }) {
  const view = useStore(controls.view)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const host = usePaneKey()
  const faults = view.faults.length
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <section ref={host} className={`${classes.aside} no-print`} aria-label="Demo" aria-keyshortcuts="F6">
      <button
        ref={button}
        type="button"
        className={classes.button}
        data-tone={faults > 0 ? "warning" : undefined}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden className="tone-mark" />
        <Stack component="span" gap={0} miw={0} lh="16px" className="nowrap rail-hidden">
          <span className="l-medium">Demo</span>
          <span className="caption">{faultsText(faults)}</span>
        </Stack>
      </button>
      {view.tour.open && (
        <Suspense>
          <Tour controls={controls} view={view} />
        </Suspense>
      )}
      {open && (
        <PanelDialog onClose={close}>
          <Stack gap={16} px={16} py={12} mih={0} className="scroll">
            <p className="text-secondary">
              Nothing leaves this browser. Laurel, its server and both services run in this tab, and your
              changes are kept here until you reset it.
            </p>
            {view.isUnsaved && (
              <Notice tone="warning" title="This browser doesn’t save anything">
                It doesn’t allow saving. Everything works, but a reload starts over.
              </Notice>
            )}
            <Tabs defaultValue="tour" keepMounted={false}>
              <Tabs.List aria-label="Demo">
                <Tabs.Tab value="tour">Tour</Tabs.Tab>
                <Tabs.Tab value="engineers">For engineers</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="tour" pt={16}>
                <Stack gap={20}>
                  <TourStart view={view} controls={controls} onStart={close} />
                  <RoleSwitch view={view} controls={controls} />
                </Stack>
              </Tabs.Panel>
              <Tabs.Panel value="engineers" pt={16}>
                <FaultList view={view} controls={controls} />
              </Tabs.Panel>
            </Tabs>
          </Stack>
          <ResetDemo controls={controls} />
        </PanelDialog>
      )}
    </section>
  )
}

function PanelDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.focus(), [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, like a dialog
    <dialog
      open
      ref={dialog}
      tabIndex={-1}
      className={classes.panel}
      aria-labelledby="demo-panel-title"
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    >
      <PanelHeader closeLabel="Close the demo panel" onClose={onClose}>
        <h2 id="demo-panel-title">Demo</h2>
      </PanelHeader>
      {children}
    </dialog>
  )
}

/** F6 moves the focus here and back: drawers and dialogs of the page trap Tab. */
function usePaneKey() {
  const host = useRef<HTMLElement>(null)
  useEffect(() => {
    let left: Element | null = null
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "F6" || host.current === null) return
      event.preventDefault()
      const inside = host.current.contains(document.activeElement)
      const tour = `[aria-labelledby="demo-tour-title"]`
      const wanted = inside ? left : host.current.querySelector(`${tour}:has([hidden]) button, ${tour} h2`)
      if (!inside) left = document.activeElement
      const target = wanted ?? host.current.querySelector("button")
      if (target instanceof HTMLElement) target.focus()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
  return host
}

function faultsText(faults: number): string {
  if (faults === 0) return "Nothing leaves this browser"
  return faults === 1 ? "1 fault is on" : `${faults} faults are on`
}

function TourStart({ view, controls, onStart }: PartProps & { onStart: () => void }) {
  const { at } = view.tour
  const start = () => {
    onStart()
    controls.setTour({ at, open: true })
  }
  return (
    <section aria-labelledby="demo-tour">
      <h3 id="demo-tour">Guided tour</h3>
      <p className="caption">Six stops, about ten minutes. Leave it at any time.</p>
      <Button mt="sm" onClick={start}>
        {at === 0 ? "Start the tour" : `Continue at stop ${at + 1}`}
      </Button>
    </section>
  )
}

function RoleSwitch({ view, controls }: PartProps) {
  return (
    <section aria-labelledby="demo-roles">
      <h3 id="demo-roles">Role</h3>
      <SimpleGrid cols={2} spacing="sm" mt="sm">
        {roles.map((role) => (
          <Button
            key={role}
            variant={view.role === role ? "light" : "default"}
            aria-pressed={view.role === role}
            disabled={!view.roles.includes(role)}
            onClick={() => void controls.enter(role)}
          >
            {roleNames[role]}
          </Button>
        ))}
      </SimpleGrid>
    </section>
  )
}

function FaultList({ view, controls }: PartProps) {
  const turnAllOff = () => {
    // The button is removed; the focus stays in the panel, so that Escape closes it.
    document.getElementById("demo-panel-title")?.closest("dialog")?.focus()
    void controls.setFaults(view.faults, false)
  }
  return (
    <section aria-labelledby="demo-faults">
      <Group justify="space-between" gap={12}>
        <h3 id="demo-faults">Faults</h3>
        {view.faults.length > 0 && (
          <Button size="xs" variant="subtle" onClick={turnAllOff}>
            Turn all off
          </Button>
        )}
      </Group>
      <p className="caption">
        Cached data is shown without a new request. Use the refresh icon beside “Updated” to load it again.
      </p>
      {[...Map.groupBy(faultPresets, (preset) => preset.group)].map(([group, presets]) => (
        <Box component="fieldset" key={group} mt={12}>
          <legend className="caption l-medium">{group}</legend>
          {presets.map(({ id, label, help }) => (
            <Switch
              key={id}
              label={label}
              description={help}
              labelPosition="left"
              classNames={{ body: classes.row }}
              checked={view.faults.includes(id)}
              onChange={(event) => void controls.setFaults([id], event.currentTarget.checked)}
            />
          ))}
        </Box>
      ))}
    </section>
  )
}

/** Resets the demo after a confirmation, because changes cannot be restored. */
function ResetDemo({ controls }: { controls: DemoControls }) {
  const [asking, setAsking] = useState(false)
  return (
    <Group
      component="footer"
      justify="space-between"
      gap="sm"
      flex="none"
      px={16}
      py={12}
      className="line-above"
    >
      <Box component="p" w="100%" className="caption">
        {asking
          ? "Every change, user and note made here is deleted, and the demo starts again with today’s dates."
          : `Its dates end on ${longDay(controls.startedAt)}, when it was started here.`}
      </Box>
      {asking && (
        <Button variant="filled" color="danger" onClick={() => void controls.reset()}>
          Reset the demo
        </Button>
      )}
      <Button onClick={() => setAsking(!asking)}>{asking ? "Keep it" : "Reset"}</Button>
    </Group>
  )
}
