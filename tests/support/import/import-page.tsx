import { MantineProvider } from "@mantine/core"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { ImportPage } from "../../../src/import/import-page.tsx"
import { useImport } from "../../../src/import/import-session.ts"

function Page({ userId }: { userId: string }) {
  const session = useImport("award", userId)
  const { included, amounts } = session.state
  return (
    <ImportPage session={session} title="Award" path={[]} help="It needs points." rows="Rows to award">
      <output aria-label="What is sent">
        {included} rows, {amounts?.sum ?? 0} points
      </output>
    </ImportPage>
  )
}

/** A page with only an import. */
export function TestImportPage({ userId = "usr_1" }: { userId?: string }) {
  return (
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <Page userId={userId} />
      </MantineProvider>
    </QueryClientProvider>
  )
}
