import type { Role } from "../../contract/roles.ts"
import { externalValue, type ExternalValue } from "../lib/external-value.ts"
import type { DemoWorld } from "./demo-world.ts"
import { openSession } from "./api-handler.ts"
import type { ChoiceName } from "./service-switches.ts"

/** Something about the kept state that a person should know. */
export type SavingNote = "discarded" | "not-saved"

/** What the panel shows. */
export interface PanelView {
  /** Role of who is signed in; null: nobody is. */
  readonly role: Role | null
  /** Roles of the people who can be entered with one click. */
  readonly roles: readonly Role[]
  /** Ids of the faults that are on. */
  readonly faults: readonly string[]
  readonly choices: Readonly<Record<ChoiceName, string | boolean>>
  readonly note: SavingNote | null
}

/** What the panel can do. */
export interface DemoControls {
  readonly view: ExternalValue<PanelView>
  /** Signs somebody of this role in and loads the page again as they see it. */
  enter(role: Role): Promise<void>
  setFault(id: string, on: boolean): Promise<void>
  clearFaults(): Promise<void>
  choose(name: ChoiceName, value: string | boolean): Promise<void>
  note(note: SavingNote | null): void
  /** Forgets everything and begins again. */
  reset(): Promise<void>
}

interface ControlsOptions {
  readonly world: DemoWorld
  readonly note: SavingNote | null
  readonly save: () => Promise<void>
  readonly reset: () => Promise<void>
}

/** Makes the panel's controls over the world. */
export function createDemoControls({ world, note, save, reset }: ControlsOptions): DemoControls {
  const view = externalValue(viewOf(world, note))
  const look = () => view.set(viewOf(world, view.get().note))
  world.events.subscribe(({ topic }) => {
    if (topic === "session" || topic === "users" || topic === "audit") look()
  })
  const changed = async () => {
    look()
    await save()
  }
  return {
    view,
    reset,
    async enter(role) {
      const user = world.accounts.offered().find((one) => one.role === role)
      if (user === undefined) return
      await openSession(world, user, crypto.randomUUID())
      await changed()
      // Nothing that the one before was shown stays on the screen.
      window.location.reload()
    },
    async setFault(id, on) {
      world.setFault(id, on)
      await changed()
    },
    async clearFaults() {
      for (const id of world.faults()) world.setFault(id, false)
      await changed()
    },
    async choose(name, value) {
      Object.assign(world.sandbox.settings, { [name]: value })
      await changed()
    },
    note: (added) => view.set({ ...view.get(), note: added }),
  }
}

function viewOf({ accounts, faults, sandbox, session }: DemoWorld, note: SavingNote | null): PanelView {
  const { metadataPatch, absentFields, searchScope, memberSort, newMemberStatus, programReadOnly } =
    sandbox.settings
  return {
    role: accounts.active(session)?.role ?? null,
    roles: [...new Set(accounts.offered().map((user) => user.role))],
    faults: faults(),
    choices: { metadataPatch, absentFields, searchScope, memberSort, newMemberStatus, programReadOnly },
    note,
  }
}
