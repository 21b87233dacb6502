import { Box, Group, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { aboutQuery, useSession } from "../../api/session.ts"
import { FactsSection } from "./settings-layout.tsx"
import { EnvBadge, Logo } from "../../ui/brand.tsx"
import { DescriptionList } from "../../ui/data-table.tsx"
import { ErrorNotice } from "../../ui/notice.tsx"
import { Section } from "../../ui/page-header.tsx"

/** About Laurel: version, environment, foundations, and what is not guaranteed. */
export function AboutPage() {
  const { environment, program } = useSession()
  const { data: about, error, refetch } = useQuery(aboutQuery)
  return (
    <Stack gap="lg" maw={640}>
      <Box component="section" maw={480}>
        <Group gap="md" mb="md">
          <Logo size={40} />
          <div>
            <h2>Laurel</h2>
            <p className="text-secondary">Run your incentive program</p>
          </div>
        </Group>
        <ErrorNotice error={error} what="Couldn’t load the version." onRetry={refetch} />
        <DescriptionList
          layout="inline"
          missing=""
          items={[
            ["Version", about?.version],
            ["Environment", <EnvBadge environment={environment} />],
            ["Program", program.name],
          ]}
        />
      </Box>
      <FactsSection
        title="Connected services"
        items={[
          ["Program API", "v1, its description 1.0.0"],
          ["Gift card API", "v1, external"],
        ]}
      />
      <Section title="Members and rewards are in beta">
        <p className="text-secondary">
          The program service marks these endpoints as unpublished during beta and not for client integrations
          yet. They can change without notice; Laurel lists every difference under{" "}
          <Link to="/settings/status" className="l-link">
            Status
          </Link>
          .
        </p>
      </Section>
      <Section title="Help">
        <p className="text-secondary">
          What an error means and what to do about it stands under{" "}
          <Link to="/settings/errors" className="l-link">
            Error codes
          </Link>
          . Press <kbd>?</kbd> anywhere for the keyboard shortcuts.
        </p>
      </Section>
    </Stack>
  )
}
