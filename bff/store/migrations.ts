import { sql } from "kysely"
import { type Migration, Migrator } from "kysely/migration"
import { firstJobNumber } from "../../core/jobs/records.ts"
import { type Engine, StoreRefused } from "./engine.ts"

/** Steps from before the first release: whichever store has one of them has them all. */
const beforeRelease =
  "0001-first 0002-jobs 0003-cards 0004-restore 0005-same-rows 0006-card-references 0007-amounts 0008-security 0009-budget-takers 0009-readiness 0010-row-edits 0011-without-reference".split(
    " ",
  )

/**
 * Brings the store to the shape this version works with. Two instances may start at once: the second waits for the
 * first. Throws what the database reported when a step fails; nothing of that step stays.
 * @throws StoreRefused for a store that a newer version changed, or one from before the first release
 */
export async function migrate({ db, kind }: Engine): Promise<void> {
  const steps = stepsOf(kind)
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const { rows } = tables.some(({ name }) => name === "kysely_migration")
    ? await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    : { rows: [] }
  const taken = new Set(rows.map(({ name }) => name))
  const newer = [...taken].filter((name) => !Object.hasOwn(steps, name))
  if (newer.length > 0) {
    throw new StoreRefused(
      `The store was written by a newer version of Laurel: this one does not know ${newer.map((name) => `"${name}"`).join(", ")}. Nothing was changed. Start the newer version again, or restore a back-up made before it was installed.`,
    )
  }
  if (taken.size > 0 && beforeRelease.some((name) => !taken.has(name))) {
    throw new StoreRefused(
      "The store was made before the first release of Laurel. Nothing was changed. Start with an empty DATA_DIR or another database.",
    )
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** Every step, by the name under which a store remembers it. A step that was released is never changed. */
function stepsOf(kind: Engine["kind"]): Record<string, Migration> {
  const made = beforeRelease.map((name) => [name, statements(name === "0001-first" ? tables(kind) : "")])
  return Object.fromEntries(made)
}

/** A step of statements that end with a semicolon at the end of a line. */
function statements(text: string): Migration {
  return {
    async up(db) {
      for (const statement of text.split(/;\s*(?:\n|$)/)) {
        if (statement.trim() !== "") await sql.raw(statement).execute(db)
      }
    },
  }
}

function tables(kind: Engine["kind"]): string {
  const isPostgres = kind === "postgres"
  const serial = isPostgres ? "bigserial primary key" : "integer primary key autoincrement"
  return `
  create table stamp (
    id integer primary key, environment text not null, program_base_url text, giftcard_base_url text,
    stamped_at bigint not null
  );
  -- One row that is written again and again, to know whether the store can be written to.
  create table readiness (id integer primary key, filler text not null);
  create table budget_grant (
    api text not null, free_at bigint not null, lane text default 'people' not null, who text default '' not null
  );
  create index budget_grant_free on budget_grant (api, free_at);
  create table budget_block (api text primary key, until_at bigint not null, for_ms bigint not null);
  create table usage (
    api text not null, minute bigint not null, lane text not null, who text not null,
    requests bigint not null, refused bigint not null, slow bigint not null, trouble bigint not null,
    longest_wait_ms bigint not null,
    constraint usage_key primary key (minute, api, lane, who)
  );
  create table drift (
    api text not null, operation text not null, field text not null, said text not null, came text not null,
    seen bigint not null, first_at bigint not null, last_at bigint not null,
    constraint drift_key primary key (api, operation, field, said, came)
  );
  create table audit (
    seq ${serial}, at bigint not null, id text not null,
    actor_id text not null, actor_name text not null, actor_role text not null,
    action text not null, area text not null, on_kind text not null, on_id text not null,
    outcome text not null, changes text not null, request_id text not null, on_label text, note text, source text
  );
  create unique index audit_id on audit (id);
  create index audit_actor on audit (actor_id, seq);
  create index audit_record on audit (on_kind, on_id, seq);
  create table note (
    kind text not null, id text not null, text text not null, version integer not null,
    saved_at text, saved_by text,
    constraint note_key primary key (kind, id)
  );
  create table setting (name text primary key, value text not null);
  create table desk_user (
    id text primary key, name text not null, email text not null unique, email_verified boolean not null,
    image text, role text not null, disabled_at text, last_seen_at bigint,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null
  );
  create table desk_session (
    id text primary key, user_id text not null references desk_user (id) on delete cascade,
    token text not null unique, expires_at timestamptz not null, ip_address text, user_agent text,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null
  );
  create index desk_session_user on desk_session (user_id);
  -- The tokens and the scope are the rest of the sign-in library's shape: single sign-on fills them.
  create table desk_account (
    id text primary key, user_id text not null references desk_user (id) on delete cascade,
    account_id text not null, provider_id text not null, password text,
    access_token text, refresh_token text, id_token text,
    access_token_expires_at timestamptz, refresh_token_expires_at timestamptz, scope text,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null,
    constraint desk_account_one unique (user_id, provider_id)
  );
  create table desk_verification (
    id text primary key, identifier text not null, value text not null, expires_at timestamptz not null,
    created_at timestamptz default current_timestamp not null,
    updated_at timestamptz default current_timestamp not null
  );
  create index desk_verification_identifier on desk_verification (identifier);
  create table one_time_link (
    hash text primary key, purpose text not null,
    user_id text references desk_user (id) on delete cascade, expires_at bigint not null
  );
  create table sign_in_attempt (
    key text primary key, failures integer not null, first_at bigint not null, last_at bigint not null
  );
  create index sign_in_attempt_last on sign_in_attempt (last_at);
  create table job (
    number ${serial}, created_at bigint not null, reversed_by text not null, reverses bigint,
    started_at bigint, finished_at bigint, kind text not null, state text not null,
    batch_code text not null, created_by text not null, created_by_name text not null,
    created_by_role text not null, lane text not null, title text, pause_code text, pause_message text,
    request_key text, request_hash text, mode text, file_name text, file_fingerprint text,
    total bigint not null, attention bigint not null, rereads bigint not null, open_controls bigint not null,
    points_total bigint not null, points_confirmed bigint not null, planned bigint not null,
    sent bigint not null, confirmed bigint not null, failed bigint not null, unknown bigint not null,
    absent bigint not null, conflict bigint not null, bulk_size bigint not null,
    prepared integer not null, marked integer not null, busy integer not null,
    needs_person integer not null, open integer not null,
    hold text, held_sign text, held_at bigint, held_since bigint, held_confirmed bigint,
    excluded bigint default 0 not null, repeats bigint,
    amount bigint default 0 not null, amount_planned bigint default 0 not null
  );
  ${
    isPostgres
      ? `select setval(pg_get_serial_sequence('job', 'number'), ${firstJobNumber - 1}::bigint)`
      : `insert into sqlite_sequence (name, seq) values ('job', ${firstJobNumber - 1})`
  };
  create unique index job_batch_code on job (batch_code);
  create unique index job_request on job (created_by, request_key) where request_key is not null;
  create index job_file on job (file_fingerprint, number) where file_fingerprint is not null;
  create index job_busy on job (number) where busy = 1;
  create index job_open on job (number) where open = 1;
  create index job_started on job (created_by, started_at);
  create table job_row (
    job bigint not null, row bigint not null, state text not null, input text not null,
    search text not null, looks text not null, member_id text, email text, label text, reason text,
    owner text, ended_how text, body_hash text, request text, outcome_code text, outcome_message text,
    upstream_id text, decision text, work text, lease_until bigint, first_sent_at bigint, sent_at bigint,
    ended_at bigint, next_at bigint, confirmed_at bigint, closed_at bigint, points bigint,
    reverses_job bigint, reverses_row bigint, ordinal bigint, attempts integer not null,
    singly integer not null, doubtful integer not null, resends integer not null,
    balance_after double precision, line bigint, effect text, is_repeat integer default 0 not null,
    edits integer default 0 not null, effect_without_reference text,
    constraint job_row_number primary key (job, row)
  );
  create index job_row_state on job_row (job, state, row);
  create index job_row_next on job_row (job, next_at, row)
    where next_at is not null and state in ('unknown', 'confirmed');
  create index job_row_confirmed on job_row (closed_at, job, row) where state = 'confirmed';
  create index job_row_closed on job_row (job, closed_at) where closed_at is not null;
  create unique index job_row_ordinal on job_row (job, member_id, ordinal) where ordinal is not null;
  create unique index job_row_reversed_once on job_row (reverses_job, reverses_row)
    where reverses_job is not null;
  create index job_row_same_member on job_row (member_id, effect)
    where effect is not null and member_id is not null;
  create index job_row_same_email on job_row (email, effect)
    where effect is not null and email is not null;
  create index job_row_same_member_other on job_row (member_id, effect_without_reference)
    where effect_without_reference is not null and member_id is not null;
  create index job_row_same_email_other on job_row (email, effect_without_reference)
    where effect_without_reference is not null and email is not null;
  create table job_claim (
    scope text not null, key text not null, job bigint not null, row bigint not null,
    constraint job_claim_one_owner primary key (scope, key)
  );
  create table job_control (
    job bigint not null, row bigint not null, type text not null, member_id text not null,
    upstream_id text not null, answered_at bigint not null, seen_at bigint, next_at bigint,
    looks integer not null, void integer not null,
    constraint job_control_row primary key (job, row)
  );
  create index job_control_type on job_control (type, answered_at);
  create table job_lease (
    job bigint primary key, owner text not null, until_at bigint not null, for_ms bigint not null
  );
  create table desk_instance (id text primary key, process text not null, beat_at bigint not null, stopped_at bigint);
  create table store_use (
    id integer primary key, epoch text not null, earlier text not null, count bigint not null,
    counted_at bigint, sign text, found_at bigint, since bigint, read integer not null
  );
  insert into store_use (id, epoch, earlier, count, read) values (1, '${crypto.randomUUID()}', '[]', 0, 0);
  create table card (
    id text primary key, origin text not null, by_id text not null, by_name text not null,
    search text not null, template text, status text, reference text, own_reference text,
    member_id text, email text, name text, amount_cents bigint, issued_at bigint, expires_at bigint,
    looked_up_at bigint, job bigint, row bigint, member_created integer, is_test integer, replayed integer,
    message text
  );
  create index card_issued on card (issued_at, id);
  create index card_expires on card (expires_at, id);
  create index card_member on card (member_id);
  create index card_job on card (job, row);
  create index card_reference on card (template, reference);
  create index card_own_reference on card (template, own_reference);`
}
