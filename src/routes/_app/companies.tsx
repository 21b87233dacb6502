import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { sessionCan } from "../../api/session.ts"
import { CompaniesPage, readCompanies } from "../../features/members/company/companies-page.tsx"
import { companiesDefaults, companiesSearch } from "../../features/members/member-search.ts"

export const Route = createFileRoute("/_app/companies")({
  validateSearch: companiesSearch,
  search: { middlewares: [stripSearchParams(companiesDefaults)] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient, session }, deps }) => {
    if (sessionCan(session, "companies.read")) readCompanies(queryClient, deps)
  },
  component: CompaniesPage,
})
