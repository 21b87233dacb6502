import type * as z from "zod/mini"
import { settingsDocuments, type SettingsName, type SettingsValue } from "../../contract/settings.ts"
import type { Clock, EventBus, SettingsStore } from "../ports.ts"
import { stored } from "../errors.ts"

export type Settings = ReturnType<typeof createSettings>

const heldMs = 60_000

type CachedSettings = {
  readonly [Name in SettingsName]?: { readonly value: SettingsValue<Name>; readonly at: number }
}

/** Initial values that replace a document's own until others are saved. */
export type SettingsInitials = { readonly [Name in SettingsName]?: SettingsValue<Name> }

/** The settings documents, read from the store and cached until the next save. */
export function createSettings(
  store: SettingsStore,
  events: EventBus,
  clock: Clock,
  initials: SettingsInitials = {},
) {
  let cached: CachedSettings = {}
  const unsubscribe = events.subscribe((event) => {
    if (event.topic === "settings") cached = { ...cached, [event.id]: undefined }
  })

  async function change<Name extends SettingsName>(
    name: Name,
    act: (before: SettingsValue<Name>) => SettingsValue<Name>,
  ): Promise<void> {
    const changing = store.change(name, async (saved) => {
      const value = act(valueOf(name, await saved.get(name), initials[name]))
      await saved.put(name, value)
      return value
    })
    cached = { ...cached, [name]: { value: await stored(changing), at: clock.monotonic() } }
    events.publish({ topic: "settings", id: name })
  }

  return {
    /** The saved value, else the initial one. A saved value that no longer fits counts as not saved. */
    async get<Name extends SettingsName>(name: Name): Promise<SettingsValue<Name>> {
      const known = cached[name]
      if (known !== undefined && clock.monotonic() - known.at < heldMs) return known.value
      const value = valueOf(name, await stored(store.get(name)), initials[name])
      cached = { ...cached, [name]: { value, at: clock.monotonic() } }
      return value
    },
    /** Saves and notifies everyone; applies immediately. */
    put: <Name extends SettingsName>(name: Name, value: SettingsValue<Name>) => change(name, () => value),
    /** The same with what `act` makes of what is saved at that moment. */
    change,
    stop: unsubscribe,
  }
}

/** Each document with its own value's type, so that a name leads to the schema of that name. */
export const documents: {
  readonly [Name in SettingsName]: {
    readonly schema: z.ZodMiniType<SettingsValue<Name>>
    readonly toSave?: z.ZodMiniType<SettingsValue<Name>>
    readonly initial: SettingsValue<Name>
  }
} = settingsDocuments

function valueOf<Name extends SettingsName>(
  name: Name,
  saved: unknown,
  given: SettingsValue<Name> | undefined,
): SettingsValue<Name> {
  const { schema, initial } = documents[name]
  const parsed = schema.safeParse(saved)
  return parsed.success ? parsed.data : (given ?? initial)
}
