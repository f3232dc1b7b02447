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
