import { AppError, badRequest } from "../../core/errors.ts"

/** Refusals that the server and the demo without one share. */
export const refusals = {
  guardMissing: () =>
    new AppError({
      status: 403,
      code: "guard_missing",
      message:
        "The request didn’t come from Laurel’s own page. Nothing was done. Reload the page and try again.",
    }),
  hostRefused: (name: string) =>
    new AppError({
      status: 403,
      code: "guard_missing",
      message: `Laurel isn’t served under the name “${name}”. Nothing was done. Set PUBLIC_URL to the address that browsers use, or add the name to ALLOWED_HOSTS, and start Laurel again.`,
    }),
  notJson: () => badRequest("The body must be sent as application/json. Nothing was done."),
  unreadableJson: () =>
    badRequest("The body isn’t a readable JSON object. Nothing was done. Send a JSON object."),
  bodyTooLarge: (size: "1 MB" | "10 KB") =>
    new AppError({
      status: 413,
      code: "body_too_large",
      message: `A request can carry at most ${size} here. Nothing was saved. Send less at once.`,
    }),
}
