import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query"
import { type Member, memberReader, type UpdateMemberBody } from "../../contract/program/member.ts"
import * as z from "zod/mini"
import { ApiError } from "../lib/errors.ts"
import { dropMember, memberQuery, membersKey, putMember } from "./members.ts"
import { type Answer, apiPath, request } from "./request.ts"
import { pointsKey } from "./points.ts"

/** An edited member, and whether the service kept the metadata as it was sent. */
export interface SavedMember {
  readonly member: Member
  /** Keys that were sent and are not in the service's copy. */
  readonly missing: readonly string[]
  /** Keys that were taken out and are still in the service's copy. */
  readonly kept: readonly string[]
}

/** What changes a member, and the copy it was changed from. */
export interface MemberChange {
  readonly changes: UpdateMemberBody
  /** `updated_at` of that copy: when the service's is another, nothing is changed and `conflict` comes back. */
  readonly seen: string | null | undefined
}

const metadataMeta = z.looseObject({
  metadata_missing: z.optional(z.array(z.string())),
  metadata_kept: z.optional(z.array(z.string())),
})
const conflictDetails = z.looseObject({ current: memberReader.tolerant })

/**
 * Changes fields of a member. The page shows the answer at once.
 * Rejects with ApiError `conflict` when somebody else changed the member meanwhile (`currentOf`).
 */
export function useUpdateMember(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({
      changes,
      seen,
    }: MemberChange): Promise<SavedMember & { answer: Answer<Member> }> => {
      const answer = await request({
        method: "PATCH",
        path: apiPath("program", "members", id),
        body: changes,
        schema: memberReader.tolerant,
        ifMatch: seen ?? undefined,
      })
      const meta = metadataMeta.safeParse(answer.meta ?? {}).data
      return {
        answer,
        member: answer.data,
        missing: meta?.metadata_missing ?? [],
        kept: meta?.metadata_kept ?? [],
      }
    },
    onSuccess: ({ answer }) => takeMember(queryClient, answer),
    onError: (error) => {
      const current = currentOf(error)
      if (current !== null) {
        takeMember(queryClient, { data: current, age: 0, at: Date.now(), stale: false })
      }
    },
  })
}

/**
 * Sets one member inactive, the recommended alternative to deleting (docs/api/program.md, Members, rule 3). One
 * upstream request; the lists are read again by whoever does a number of these, once.
 * @throws ApiError; `outcome_unknown`, Offline and UnreadableAnswer mean that it is not known whether it was done
 */
export async function deactivateMember(queryClient: QueryClient, id: string): Promise<void> {
  const body: UpdateMemberBody = { status: "inactive" }
  const path = apiPath("program", "members", id)
  putMember(queryClient, await request({ method: "PATCH", path, body, schema: memberReader.tolerant }))
}

/** Deletes a member for good (docs/api/program.md, Members, rule 3). The server checks the typed e-mail again. */
export function useDeleteMember(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (email: string): Promise<void> => {
      await request({
        method: "DELETE",
        path: apiPath("program", "members", id),
        body: { email },
        schema: z.unknown(),
      })
    },
    onSuccess: () => forgetMember(queryClient, id),
  })
}

/** The member as it is now, when a change met another; null for every other error. */
export function currentOf(error: unknown): Member | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null
  return conflictDetails.safeParse(error.details).data?.current ?? null
}

/** Not awaited: what was done is said at once, however long the lists wait for the budget to be read again. */
function takeMember(queryClient: QueryClient, answer: Answer<Member>): void {
  putMember(queryClient, answer)
  void queryClient.invalidateQueries({ queryKey: membersKey })
}

/** Nothing of a deleted member is taken for fresh: what the page still shows is not asked for while it is left. */
async function forgetMember(queryClient: QueryClient, id: string): Promise<void> {
  for (const queryKey of [memberQuery(id).queryKey, pointsKey(id)]) {
    queryClient.removeQueries({ queryKey, type: "inactive" })
    await queryClient.invalidateQueries({ queryKey, refetchType: "none" })
  }
  dropMember(queryClient, id)
  void queryClient.invalidateQueries({ queryKey: membersKey })
}
