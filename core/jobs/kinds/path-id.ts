import { invalid } from "../../errors.ts"
import { encodeId } from "../../match.ts"

/**
 * Checks that an address of the service can name this record.
 * @throws DeskFailure 422 on the field
 */
export function requirePathId(field: string, id: string): void {
  if (encodeId(id) === undefined) throw invalid(422, [{ field, message: "No record can have this id." }])
}
