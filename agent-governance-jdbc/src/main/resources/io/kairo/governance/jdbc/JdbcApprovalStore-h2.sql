create table if not exists kairo_approval (
	approval_id char(36) not null primary key,
	open_key char(71) unique,
	tenant varchar(255) not null,
	principal varchar(255) not null,
	session_id varchar(255),
	tool varchar(255) not null,
	rule_name varchar(255) not null,
	reason text not null,
	shown text not null,
	digest char(71) not null,
	created_at timestamp(6) with time zone not null,
	expires_at timestamp(6) with time zone not null,
	state varchar(16) not null,
	answer_reason text,
	decided_by varchar(255)
);

create index if not exists kairo_approval_tenant on kairo_approval (tenant, state);

create index if not exists kairo_approval_expiry on kairo_approval (expires_at);

create table if not exists kairo_approval_grant (
	grant_key char(71) not null,
	tenant varchar(255) not null,
	principal varchar(255) not null,
	session_id varchar(255) not null,
	tool varchar(255) not null,
	rule_name varchar(255) not null,
	ends_at timestamp(6) with time zone not null,
	decided_by varchar(255) not null
);

create index if not exists kairo_approval_grant_key on kairo_approval_grant (grant_key, ends_at);
