import type { LinkProps } from "@tanstack/react-router"
import * as z from "zod/mini"
import { limits } from "../../../contract/limits.ts"
import type { Permission } from "../../../contract/roles.ts"
import type { Session } from "../../../contract/session.ts"
import { sessionCan } from "../../api/session.ts"
import { choiceParam, textParam } from "../../lists/list-params.ts"

/** A page of the settings; `needs` is the capability to see it, with the text for users without it. */
export interface SettingsSection {
  readonly to: NonNullable<LinkProps["to"]>
  readonly label: string
  readonly needs?: { readonly permission: Permission; readonly noun: string }
}

/** The pages of the settings, in the order of their navigation. */
export const settingsSections: readonly SettingsSection[] = [
  {
    to: "/settings/users",
    label: "Users and roles",
    needs: { permission: "users.manage", noun: "users and roles" },
  },
  { to: "/settings/program", label: "Program" },
  {
    to: "/settings/gift-cards",
    label: "Gift cards",
    needs: { permission: "cards.read", noun: "gift cards" },
  },
  { to: "/settings/carriers", label: "Carriers" },
  {
    to: "/settings/data",
    label: "Data",
    needs: { permission: "settings.program", noun: "the data settings" },
  },
  { to: "/settings/status", label: "Status", needs: { permission: "status.read", noun: "the status" } },
  { to: "/settings/sessions", label: "Your sessions" },
  { to: "/settings/errors", label: "Error codes" },
  { to: "/settings/about", label: "About" },
]

/** The sections that the user may see. */
export function sectionsFor(session: Session | null): readonly SettingsSection[] {
  return settingsSections.filter(
    ({ needs }) => needs === undefined || (session !== null && sessionCan(session, needs.permission)),
  )
}

/** The section of a path. */
export function sectionAt(pathname: string): SettingsSection | undefined {
  return settingsSections.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
}

/** What is open on the page: a form or a confirmation, and its template. */
export const cardsSettingsSearch = z.lazy(() =>
  z.object({
    open: choiceParam(["add", "edit", "remove"]),
    template: textParam(limits.cardReference),
  }),
)
