-- Single sign-on: people who are known by an identity provider. People of today are not.
alter table people
  -- How the provider names the person.
  add column issuer text,
  add column subject text,
  -- May always sign in with a password, also where the provider is down.
  add column break_glass boolean not null default false,
  -- GROUPS: none of the groups of the person gave a role. Somebody who was disabled by hand has none.
  add column disabled_reason text check (disabled_reason = 'GROUPS');
alter table people
  add constraint people_subject_check check ((issuer is null) = (subject is null));
alter table people
  add constraint people_disabled_reason_check1 check (disabled_reason is null or status = 'DISABLED');
alter table people
  add constraint people_break_glass_check check (not break_glass or (status = 'ACTIVE' and password_hash is not null));
-- Instead of people_check, by which an active person always had a password.
alter table people
  add constraint people_active_check
    check (case status when 'ACTIVE' then password_hash is not null or subject is not null else password_hash is null end);
alter table people
  drop constraint people_check;
create unique index people_by_subject on people (caller_id, issuer, subject);

alter table person_sessions
  add column method text not null default 'PASSWORD' check (method in ('PASSWORD', 'SSO')),
  -- How the provider names its own session, for its sign-out.
  add column provider_session text;
alter table person_sessions
  add constraint person_sessions_provider_check check (provider_session is null or method = 'SSO');
