import { type MergedCompanies, mergedCompanies } from "../../contract/companies.ts"
import type { CoreContext } from "../context.ts"
import { fold } from "../copy/member-columns.ts"
import { stored } from "../errors.ts"
import type { SettingsDocuments } from "../ports.ts"

/** A document of the settings' store that `GET /settings/{name}` does not know. */
export const mergedDocument = "companies"

export async function readMerged(settings: SettingsDocuments): Promise<MergedCompanies> {
  return mergedCompanies.safeParse(await stored(settings.get(mergedDocument))).data ?? []
}

/** The company that a name is merged into, else the name. */
export function targetOf(merged: MergedCompanies, name: string): string {
  return merged.find((each) => fold(each.name) === fold(name))?.into ?? name
}

/** A company by its folded name; `written`: as a person wrote it, where names were merged into it. */
interface NamedCompany {
  readonly company: string
  readonly written: string | undefined
}

/** Finds the company of a member's folded `company`: the rule by which merged names count as one. */
export function companyFinder(merged: MergedCompanies): (name: string) => NamedCompany {
  const targets = new Map(merged.map(({ name, into }) => [fold(name), fold(into)]))
  const written = new Map(merged.map(({ into }) => [fold(into), into]))
  return (name) => {
    const company = targets.get(name) ?? name
    return { company, written: written.get(company) }
  }
}

/** Every name of the company that a member's `company` belongs to. */
export async function namesOfCompany({ store }: CoreContext, name: string): Promise<readonly string[]> {
  const merged = await readMerged(store.settings)
  const target = targetOf(merged, name)
  return [target, ...merged.filter(({ into }) => fold(into) === fold(target)).map((each) => each.name)]
}
