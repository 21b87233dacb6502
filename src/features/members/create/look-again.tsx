import { Button } from "@mantine/core"
import "@mantine/core/styles/Button.layer.css"
import "@mantine/core/styles/Loader.layer.css"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { explain } from "../../../api/errors.ts"
import { membersQuery } from "../../../api/members.ts"
import { cost } from "../../../lib/cost.ts"
import { fullName } from "../../../lib/names.ts"
import { exact } from "../../../lib/time.ts"

/** Searches for an e-mail whose member may or may not have been created, and says what was found and when. */
export function LookAgain({ email }: { email: string }) {
  const queryClient = useQueryClient()
  const look = useMutation({
    mutationFn: async () => {
      const answer = await queryClient.fetchQuery({
        ...membersQuery({ search: email }, { fresh: true }),
        staleTime: 0,
      })
      const member = answer.data.find((each) => each.email?.toLowerCase() === email.toLowerCase())
      return { member, at: answer.at }
    },
  })
  const found = look.data
  return (
    <>
      <Button size="xs" loading={look.isPending} onClick={() => look.mutate()}>
        Look again
      </Button>
      <output>
        {found === undefined && look.error === null && <span className="l-3">{cost(1)}</span>}
        {look.error !== null && `The search did not work: ${explain(look.error).title}.`}
        {found !== undefined && found.member === undefined && (
          <>No member has this e-mail as of {exact(found.at)}. You can create it again.</>
        )}
        {found?.member !== undefined && (
          <>
            The member is there.{" "}
            <Link className="l-link" to="/members/$memberId" params={{ memberId: found.member.id }}>
              Open {fullName(found.member)}
            </Link>
          </>
        )}
      </output>
    </>
  )
}
