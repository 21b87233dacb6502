import { createFileRoute } from "@tanstack/react-router"

// The page draws its tab itself, so that it stays where it is behind a dialog.
export const Route = createFileRoute("/_app/members_/$memberId/details")({})
