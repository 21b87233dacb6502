import * as z from "zod/mini"
import type { Role } from "../../contract/roles.ts"
import { externalValue, saveChoice, readStored } from "../lib/external-value.ts"
import { openSession } from "./api-handler.ts"
import type { DemoWorld } from "./demo-world.ts"
import { type ChoiceName, serviceChoices } from "./service-switches.ts"

export type SavingNote = "discarded" | "not-saved"
export type DemoControls = Awaited<ReturnType<typeof createDemoControls>>
export type PanelView = ReturnType<DemoControls["view"]["get"]>

const tourKey = "laurel-demo-tour"
const tourPlace = z.object({ at: z.int(), open: z.boolean() })
type TourPlace = z.output<typeof tourPlace>

/** Beside the state, which takes a while to save: a reload finds what the panel showed before it. */
const faultsKey = "laurel-demo-faults"

export async function createDemoControls(
  world: DemoWorld,
  firstNote: SavingNote | null,
  save: () => Promise<void>,
  reset: () => Promise<void>,
) {
  const { accounts, events, sandbox } = world
  // In a full storage nothing is kept: what was set holds until the next visit all the same.
  let tour = readStored(tourKey, tourPlace) ?? { at: 0, open: false }
  const viewNow = async (note: SavingNote | null) => ({
    role: (await accounts.active(world.session))?.role ?? null,
    /** Roles of the people who can be entered with one click. */
    roles: [...new Set((await accounts.offered()).map((user) => user.role))] as readonly Role[],
    faults: world.faults(),
    choices: new Map(serviceChoices.map(({ name }) => [name, String(sandbox.settings[name])])),
    note,
    tour,
  })
  for (const id of readStored(faultsKey, z.array(z.string())) ?? []) world.setFault(id, true)
  const view = externalValue(await viewNow(firstNote))
  const refresh = async () => view.set(await viewNow(view.get().note))
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
    /** Signs somebody of this role in and loads the page again as they see it. */
    async enter(role: Role) {
      const user = (await accounts.offered()).find((one) => one.role === role)
      if (user === undefined) return
      await openSession(world, user, crypto.randomUUID())
      await changed()
      // Nothing that the one before was shown stays on the screen.
      window.location.reload()
    },
    async setFaults(ids: readonly string[], on: boolean) {
      for (const id of ids) world.setFault(id, on)
      saveChoice(faultsKey, JSON.stringify(world.faults()))
      await refresh()
    },
    async choose(name: ChoiceName, value: string) {
      Object.assign(sandbox.settings, { [name]: name === "programReadOnly" ? value === "true" : value })
      await changed()
    },
    /** Moves the tour to a stop, or puts it away; the next visit finds it there. */
    async setTour(place: TourPlace) {
      tour = place
      saveChoice(tourKey, JSON.stringify(tour))
      await refresh()
    },
    note: (note: SavingNote | null) => view.set({ ...view.get(), note }),
  }
}
