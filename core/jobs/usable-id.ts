import { isStorable } from "../../contract/program/common.ts"

const longestId = 200

/** Whether an id that a service gave can be kept and asked for again. */
export function isUsableId(id: string): boolean {
  return id !== "" && id.length <= longestId && isStorable(id)
}
