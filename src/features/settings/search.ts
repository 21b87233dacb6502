import type { LinkProps } from "@tanstack/react-router"
import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import type { Permission } from "../../../contract/roles.ts"
import { choiceParam, textParam } from "../../lists/list-params.ts"

export interface SettingsSection {
  readonly to: NonNullable<LinkProps["to"]>
  readonly label: string
  readonly permission?: Permission
}

/** The pages of the settings, in the order of their navigation. */
export const settingsSections: readonly SettingsSection[] = [
  { to: "/settings/users", label: "Users and roles", permission: "users.manage" },
  { to: "/settings/program", label: "Program" },
  { to: "/settings/gift-cards", label: "Gift cards", permission: "cards.read" },
  { to: "/settings/carriers", label: "Carriers" },
  { to: "/settings/status", label: "Status", permission: "status.read" },
  { to: "/settings/errors", label: "Error codes" },
  { to: "/settings/about", label: "About" },
]

/** The section an address belongs to. */
export function sectionAt(pathname: string): SettingsSection | undefined {
  return settingsSections.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
}

/** What is open on the page, in the address: a form or a question, and the template it is about. */
export const cardsSettingsSearch = z.object({
  open: choiceParam(["add", "edit", "remove"]),
  template: textParam(limits.cardReference),
})
