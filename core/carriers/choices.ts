import * as z from "zod/mini"
import type { SettingsStore } from "../ports.ts"

const choice = z.object({ carrier: z.string(), at: z.number() })
/** Carriers that people said numbers are of, by the shape of the number. */
const choices = z.record(z.string(), choice)
/** Carriers that people said numbers are of, by the shape of the number. */
export type CarrierChoices = Readonly<Record<string, z.output<typeof choice>>>

const documentName = "carrier-choices"
/** The oldest ones are forgotten beyond this. */
const mostKept = 1000
const beginning = 4

/** What numbers of one sender with one carrier share: their beginning and their length. */
export function shapeOf(plain: string): string {
  return `${plain.slice(0, beginning)}/${plain.length}`
}

/** Everything that was said. @throws what the store threw */
export async function readChoices(store: SettingsStore): Promise<CarrierChoices> {
  return choices.safeParse(await store.get(documentName)).data ?? {}
}

/** Keeps what was said about a shape, or forgets it. @throws what the store threw */
export async function putChoice(
  store: SettingsStore,
  shape: string,
  said: z.output<typeof choice> | undefined,
): Promise<void> {
  const { [shape]: _before, ...others } = await readChoices(store)
  const next = Object.entries(said === undefined ? others : { ...others, [shape]: said })
    .toSorted(([, one], [, other]) => other.at - one.at)
    .slice(0, mostKept)
  await store.put(documentName, Object.fromEntries(next))
}
