import * as z from "zod/mini"
import { createStore } from "zustand"
import type { Role } from "../../contract/roles.ts"
import { readStored, saveStored } from "../lib/browser-storage.ts"
import { appRoot } from "../lib/app-root.ts"
import { handleApiRequest } from "./api-handler.ts"
import type { DemoWorld } from "./demo-world.ts"

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
  note: SavingNote | null,
  save: () => Promise<void>,
  reset: () => Promise<void>,
) {
  const { auth, sandbox } = world
  const offers = async () => (await auth.signInHelp()).demo_accounts
  const current = async () => ({
    role: (await auth.sessions.read(world.session, "watch"))?.user.role ?? null,
    /** Roles that can sign in with one click. */
    roles: [...new Set((await offers()).map(({ role }) => role))] as readonly Role[],
    faults: world.faults(),
  })
  for (const id of readStored(faultsKey, z.array(z.string())) ?? []) world.setFault(id, true)
  // If the storage is full, the tour's place only lasts until the page closes.
  const tour: TourPlace = readStored(tourKey, tourPlace) ?? { at: 0, open: false }
  const first = { ...(await current()), note, tour }
  const view = createStore(() => first)
  const refresh = async () => view.setState(await current())
  return {
    view,
    refresh,
    reset,
    /** When the demo was started, in ms: its dates are relative to it. */
    startedAt: sandbox.store.base.seededAt,
    /** Signs in with this role and reloads the page, which clears what the previous user saw. */
    async enter(role: Role) {
      const offer = (await offers()).find((one) => one.role === role)
      if (offer === undefined) return
      const { email, password } = offer
      const headers = { "X-Laurel": "1", "Content-Type": "application/json" }
      const init = { method: "POST", headers, body: JSON.stringify({ email, password }) }
      await handleApiRequest(world, new Request(`${appRoot}api/session`, init))
      await save()
      window.location.reload()
    },
    async setFaults(ids: readonly string[], on: boolean) {
      for (const id of ids) world.setFault(id, on)
      saveStored(faultsKey, world.faults())
      await refresh()
    },
    /** Moves the tour to a stop or closes it, and saves this for the next visit. */
    setTour(place: TourPlace) {
      saveStored(tourKey, place)
      view.setState({ tour: place })
    },
    setNote: (next: SavingNote | null) => view.setState({ note: next }),
  }
}
