import { createFileRoute } from "@tanstack/react-router"
import { companyQuery } from "../../api/companies.ts"
import { sessionCan } from "../../api/session.ts"
import { CompanyPage } from "../../features/members/company/company-page.tsx"

export const Route = createFileRoute("/_app/companies_/$name")({
  loader: ({ context: { queryClient, session }, params }) => {
    if (sessionCan(session, "companies.read")) void queryClient.prefetchQuery(companyQuery(params.name))
  },
  component: CompanyPage,
})
