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
