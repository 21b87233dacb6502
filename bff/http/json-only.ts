import type { RequestHandler } from "express"
import { DeskFailure } from "../../core/errors.ts"

/** A body that is not JSON was not read: it is refused by name instead of being taken for none. */
export const jsonOnly: RequestHandler = (req, _res, next) => {
  const carriesBody = req.get("Transfer-Encoding") !== undefined || Number(req.get("Content-Length") ?? 0) > 0
  if (carriesBody && req.is("application/json") === false) {
    throw new DeskFailure({
      status: 400,
      code: "bad_request",
      message: "The body must be sent as application/json. Nothing was done.",
    })
  }
  next()
}
