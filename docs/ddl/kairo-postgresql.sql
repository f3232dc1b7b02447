--liquibase formatted sql

--changeset kairo:approvals-1
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

--changeset kairo:audit-1
create table if not exists kairo_audit_chain (
	chain_name varchar(64) not null primary key,
	head_sequence bigint not null,
	head_hash char(64) not null
);

create table if not exists kairo_audit_record (
	chain_name varchar(64) not null,
	sequence_number bigint not null,
	record_id char(36) not null unique,
	recorded_at timestamp(6) with time zone not null,
	event varchar(32) not null,
	tenant varchar(255),
	principal varchar(255),
	session_id varchar(255),
	adapter varchar(255) not null,
	tool varchar(255) not null,
	code varchar(64) not null,
	record text not null,
	previous_hash char(64) not null,
	hash char(64) not null,
	primary key (chain_name, sequence_number)
);

create index if not exists kairo_audit_record_tenant on kairo_audit_record (tenant, recorded_at);

--changeset kairo:budgets-1
create table if not exists kairo_usage (
	tenant varchar(255) not null,
	usage_day date not null,
	executions bigint not null,
	unmeasured bigint not null,
	cpu_nanos bigint not null,
	output_bytes bigint not null,
	primary key (tenant, usage_day)
);

create index if not exists kairo_usage_usage_day on kairo_usage (usage_day);

create table if not exists kairo_usage_charge (
	charge_id varchar(36) not null primary key,
	charged_at timestamp(6) with time zone not null
);

create index if not exists kairo_usage_charge_time on kairo_usage_charge (charged_at);
