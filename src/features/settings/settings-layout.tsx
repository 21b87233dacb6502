import { Box, Flex, NativeSelect, Stack } from "@mantine/core"
import { IconAlertTriangle } from "@tabler/icons-react"
import { type UseMutationResult, useQuery } from "@tanstack/react-query"
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router"
import type { ComponentProps, ReactNode } from "react"
import { type FieldValues, useFormState } from "react-hook-form"
import type { Api } from "../../../contract/response.ts"
import { type Role, roleNames, roleNeeded } from "../../../contract/roles.ts"
import { type AppStatus, driftHandling } from "../../../contract/status.ts"
import { useSession } from "../../api/session.ts"
import { statusQuery } from "../../api/status.ts"
import { type FormShellProps, InlineForm } from "../../forms/form.tsx"
import { RequirePagePermission } from "../../lists/require-permission.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { SelectChevron } from "../../ui/field-parts.tsx"
import { usePageTitle } from "../../ui/hooks.ts"
import { PageHeader, Section } from "../../ui/page-header.tsx"
import { sectionAt, sectionsFor, type SettingsSection, settingsSections } from "./settings-search.ts"

/** The settings: navigation, and the open section if the user may see it. */
export function SettingsLayout() {
  const section = useLocation({ select: ({ pathname }) => sectionAt(pathname) })
  usePageTitle(section === undefined ? "Settings" : `${section.label} · Settings`)
  return (
    <Stack gap={0} flex="1 0 auto">
      <PageHeader title="Settings" />
      <Flex direction={{ base: "column", md: "row" }} flex={1} className="line-above">
        <SettingsNav current={section} />
        <Stack gap="lg" flex={1} miw={0} maw={1016} px="var(--l-gutter)" pt={20} pb="xl">
          {section?.needs === undefined ? (
            <Outlet />
          ) : (
            <RequirePagePermission {...section.needs}>
              <Outlet />
            </RequirePagePermission>
          )}
        </Stack>
      </Flex>
    </Stack>
  )
}

function SettingsNav({ current }: { current: SettingsSection | undefined }) {
  const navigate = useNavigate()
  const shown = sectionsFor(useSession())
  return (
    <>
      <Flex
        component="nav"
        direction={{ base: "row", md: "column" }}
        wrap={{ base: "wrap", md: "nowrap" }}
        gap={1}
        w={{ md: 184 }}
        flex="none"
        px={{ base: "sm", md: 12 }}
        py={{ base: "xs", md: 16 }}
        visibleFrom="sm"
        aria-label="Settings"
      >
        {shown.map((section) => (
          <Link
            key={section.to}
            to={section.to}
            className="nav-item text-secondary l-medium nowrap"
            aria-current={section === current ? "page" : undefined}
          >
            {section.label}
            {section.to === "/settings/status" && <StatusMark />}
          </Link>
        ))}
      </Flex>
      <Box bg="var(--l-border)" w={{ base: "auto", md: 1 }} h={{ base: 1, md: "auto" }} visibleFrom="sm" />
      <Box hiddenFrom="sm" px="gutter" py={12} className="line-below">
        <NativeSelect
          aria-label="Section of the settings"
          size="md"
          value={current?.to ?? ""}
          onChange={({ currentTarget }) => {
            const chosen = shown.find(({ to }) => to === currentTarget.value)
            if (chosen !== undefined) void navigate({ to: chosen.to })
          }}
          data={settingsSections
            .filter((section) => section === current || shown.includes(section))
            .map(({ to, label }) => ({ value: to, label }))}
          rightSection={<SelectChevron />}
        />
      </Box>
    </>
  )
}

function StatusMark() {
  const { data } = useQuery(statusQuery)
  if (data === undefined || !needsAttention(data.data)) return null
  return (
    <Box component="span" ms="auto" display="flex" c="var(--l-warning)">
      <IconAlertTriangle size={14} stroke={2} aria-hidden />
      <span className="visually-hidden">needs attention</span>
    </Box>
  )
}

/** Whether the status page shows something to act on: a failing service, a refused key, an unlisted value, a held copy. */
export function needsAttention({ connections, copy, drift }: AppStatus): boolean {
  return (
    (copy.members?.held ?? copy.rewards?.held ?? null) !== null ||
    connections.some(({ state, seen }) =>
      [state, seen.read, seen.write].some((each) =>
        ["slow", "not_answering", "failing", "refused"].includes(each),
      ),
    ) ||
    drift.some(({ kind }) => driftHandling[kind].tone === "warning")
  )
}

/** Names of the services on the settings pages. */
export const serviceNames: Readonly<Record<Api, string>> = {
  program: "Program API",
  giftcard: "Gift card API",
}

/** Why a page shows its settings as facts. */
export function ReadOnlyNote({ needs = roleNeeded("settings.program") }) {
  return <p className="caption">Changing this requires the {roleNames[needs]} role.</p>
}

/** Settings as facts for users who cannot change them, with the role that can. */
export function ReadOnlyFacts(
  props: Pick<ComponentProps<typeof DescriptionList>, "items"> & { needs?: Role },
) {
  const { items, ...role } = props
  return (
    <>
      <DescriptionList layout="inline" items={items} />
      <ReadOnlyNote {...role} />
    </>
  )
}

/** The outcome of saving, announced when it appears. */
export function SavedNote({ children }: { children: ReactNode }) {
  return (
    <output className={"hide-empty tone-text l-meta"} data-tone="success">
      {children}
    </output>
  )
}

/** Facts in a section of half the width. */
export function FactsSection(
  props: Pick<ComponentProps<typeof DescriptionList>, "items"> & { title: string; end?: string },
) {
  const { title, end, items } = props
  return (
    <Section title={title} end={end}>
      <Box maw={480}>
        <DescriptionList layout="inline" items={items} />
      </Box>
    </Section>
  )
}

/** Settings edited in place and saved as one document, with a note afterwards. */
export function SettingsForm<I extends FieldValues, O>(
  props: Pick<FormShellProps<I, O>, "form" | "notDone" | "children"> & {
    label: string
    save: { mutateAsync: (body: O) => Promise<O> } & Pick<
      UseMutationResult,
      "error" | "isPending" | "isSuccess"
    >
    fieldsOf: (saved: O) => I
    action?: string
    wide?: boolean
    before?: ReactNode
  },
) {
  const { form, save, fieldsOf, action = "Save", ...shell } = props
  const { isDirty } = useFormState({ control: form.methods.control })
  return (
    <InlineForm
      {...shell}
      form={form}
      onSubmit={async (body) => form.methods.reset(fieldsOf(await save.mutateAsync(body)))}
      submitError={save.error}
      busy={save.isPending}
      action={action}
      running="Saving"
      aside={<SavedNote>{save.isSuccess && !isDirty && "Saved."}</SavedNote>}
    />
  )
}
