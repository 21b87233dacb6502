import { createStore } from "zustand"
import * as z from "zod/mini"
import type { Role } from "../../contract/roles.ts"
import { readStored, saveStored } from "../lib/browser-storage.ts"
import { openSession } from "./api-handler.ts"
import type { DemoWorld } from "./demo-world.ts"
import { type ChoiceName, serviceChoices } from "./service-switches.ts"

export type SavingNote = "discarded" | "not-saved"
export type DemoControls = Awaited<ReturnType<typeof createDemoControls>>
export type PanelView = ReturnType<DemoControls["view"]["getState"]>

const tourKey = "laurel-demo-tour"
const tourPlace = z.object({ at: z.int(), open: z.boolean() })
type TourPlace = z.output<typeof tourPlace>

/** Stored separately from the state, which takes longer to save: a reload restores what the panel showed. */
const faultsKey = "laurel-demo-faults"

export async function createDemoControls(
  world: DemoWorld,
  firstNote: SavingNote | null,
  save: () => Promise<void>,
  reset: () => Promise<void>,
) {
  const { accounts, events, sandbox } = world
  // If the storage is full, changes only last until the page closes.
  let tour = readStored(tourKey, tourPlace) ?? { at: 0, open: false }
  const viewNow = async (note: SavingNote | null) => ({
    role: (await accounts.active(world.session))?.role ?? null,
    /** Roles that can sign in with one click. */
    roles: [...new Set((await accounts.offered()).map((user) => user.role))] as readonly Role[],
    faults: world.faults(),
    choices: new Map(serviceChoices.map(({ name }) => [name, String(sandbox.settings[name])])),
    note,
    tour,
  })
  for (const id of readStored(faultsKey, z.array(z.string())) ?? []) world.setFault(id, true)
  const firstView = await viewNow(firstNote)
  const view = createStore(() => firstView)
  const refresh = async () => view.setState(await viewNow(view.getState().note), true)
  events.subscribe(({ topic }) => {
    if (topic === "session" || topic === "users" || topic === "audit") void refresh()
  })
  const changed = async () => {
    await refresh()
    await save()
  }
  return {
    view,
    reset,
    /** Signs in with this role and reloads the page. */
    async enter(role: Role) {
      const user = (await accounts.offered()).find((one) => one.role === role)
      if (user === undefined) return
      await openSession(world, user, crypto.randomUUID())
      await changed()
      // Clears what the previous user saw.
      window.location.reload()
    },
    async setFaults(ids: readonly string[], on: boolean) {
      for (const id of ids) world.setFault(id, on)
      saveStored(faultsKey, world.faults())
      await refresh()
    },
    async choose(name: ChoiceName, value: string) {
      Object.assign(sandbox.settings, { [name]: name === "programReadOnly" ? value === "true" : value })
      await changed()
    },
    /** Moves the tour to a stop or closes it, and saves this for the next visit. */
    async setTour(place: TourPlace) {
      tour = place
      saveStored(tourKey, tour)
      await refresh()
    },
    note: (note: SavingNote | null) => view.setState({ note }),
  }
}
