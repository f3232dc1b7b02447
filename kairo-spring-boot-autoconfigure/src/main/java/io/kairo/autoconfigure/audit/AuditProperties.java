package io.kairo.autoconfigure.audit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kairo.autoconfigure.jdbc.JdbcProperties;
import io.kairo.autoconfigure.jdbc.SchemaInitialization;
import io.kairo.boot.PropertyBounds;
import io.kairo.boot.UnresolvedPlaceholder;
import io.kairo.governance.audit.AuditContent;
import io.kairo.governance.audit.AuditPolicy;
import io.kairo.governance.audit.HashChain;
import io.kairo.governance.audit.Redaction;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the audit of tool calls.
 *
 * @param sinks Sinks of the records: log, file, jdbc. Without any, and without a bean of
 * type AuditSink, there is no audit.
 * @param policy Policy for records that a sink does not write: fail the call, or block it
 * until they are written.
 * @param timeout Maximum time to write a record before the call fails. Also the timeout
 * of statements, in full seconds.
 * @param arguments Whether to record the arguments of calls, without secrets.
 * @param commands Whether to record the texts of commands, without secrets.
 * @param maxCharacters Maximum number of characters of a recorded text.
 * @param secretNames Further parts of the names of arguments whose values are secrets.
 * @param secretPatterns Further regular expressions of secrets, in the syntax of RE2.
 * @param key Key of the hashes, at least 16 bytes in UTF-8. Without a key, anyone who can
 * write the records can compute the hashes anew.
 * @param file Sink of type file.
 * @param jdbc Sink of type jdbc.
 */
@ConfigurationProperties("kairo.audit")
public record AuditProperties(@DefaultValue List<AuditSinkType> sinks, @DefaultValue("fail") AuditPolicy policy,
		@DefaultValue("5s") Duration timeout, @DefaultValue("false") boolean arguments,
		@DefaultValue("false") boolean commands, @DefaultValue("4096") int maxCharacters,
		@DefaultValue List<String> secretNames, @DefaultValue List<String> secretPatterns, @Nullable String key,
		@NestedConfigurationProperty @DefaultValue File file, @NestedConfigurationProperty @DefaultValue Jdbc jdbc) {

	/**
	 * Creates the properties.
	 * @param timeout the maximum time to write a record, at least one second
	 * @param maxCharacters the maximum number of characters of a text, at least 1
	 */
	public AuditProperties {
		new PropertyBounds("kairo.audit.").between("timeout", timeout, Duration.ofSeconds(1), Duration.ofDays(365))
			.atLeast("max-characters", maxCharacters, 1);
		UnresolvedPlaceholder.refuse("kairo.audit.key", key);
		if (key != null && key.getBytes(StandardCharsets.UTF_8).length < 16) {
			throw new InvalidConfigurationPropertyValueException("kairo.audit.key", "******",
					"it must have at least 16 bytes");
		}
		sinks = List.copyOf(sinks);
		JdbcProperties.requireModule("kairo.audit.sinks", sinks.contains(AuditSinkType.JDBC));
		secretNames = List.copyOf(secretNames);
		secretPatterns = List.copyOf(secretPatterns);
	}

	/**
	 * Returns the optional content of records.
	 * @throws InvalidConfigurationPropertyValueException if a name or pattern is invalid
	 */
	AuditContent content() {
		Redaction redaction = redaction();
		return new AuditContent(this.arguments ? redaction : null, this.commands ? redaction : null);
	}

	private Redaction redaction() {
		try {
			new Redaction(this.secretNames, List.of(), 1);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("kairo.audit.secret-names", this.secretNames,
					String.valueOf(ex.getMessage()));
		}
		List<String> names = new ArrayList<>(Redaction.NAMES);
		names.addAll(this.secretNames);
		List<String> patterns = new ArrayList<>(Redaction.PATTERNS);
		patterns.addAll(this.secretPatterns);
		try {
			return new Redaction(names, patterns, this.maxCharacters);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("kairo.audit.secret-patterns", this.secretPatterns,
					String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Returns the hashes of the chains.
	 */
	HashChain chain() {
		return (this.key != null) ? new HashChain(this.key.getBytes(StandardCharsets.UTF_8)) : new HashChain();
	}

	private static void requireName(String property, String chain) {
		if (chain.isBlank() || chain.length() > 64 || chain.chars().anyMatch(Character::isISOControl)) {
			throw new InvalidConfigurationPropertyValueException(property, chain,
					"it must have 1 to 64 characters, none of them a control character");
		}
	}

	@Override
	public String toString() {
		return "AuditProperties[sinks=" + this.sinks + ", policy=" + this.policy + "]";
	}

	/**
	 * Configuration properties for the sink of type file.
	 *
	 * @param directory Directory of the files; by default below the state directory. One
	 * process at a time can use it.
	 * @param chain Name of the chain, which is part of the hashes. Give each directory
	 * whose files have the same key another name, so that its files cannot be put in
	 * place of those of another directory.
	 * @param maxFileSize Size from which a new file is begun.
	 * @param maxFiles Maximum number of files, beyond which the oldest is removed; 0 to
	 * keep all.
	 * @param minAge Age below which no file is removed, so that calls cannot push records
	 * out.
	 * @param sync Whether every record is forced to the disk, to survive the end of the
	 * machine.
	 */
	public record File(@Nullable Path directory, @DefaultValue("kairo") String chain,
			@DefaultValue("64MB") DataSize maxFileSize, @DefaultValue("0") int maxFiles,
			@DefaultValue("7d") Duration minAge, @DefaultValue("true") boolean sync) {

		/**
		 * Creates the properties.
		 * @param chain the name of the chain, 1 to 64 characters
		 * @param maxFileSize the size from which a new file is begun, at least 1 byte
		 * @param maxFiles the maximum number of files, at least 0
		 * @param minAge the age below which no file is removed, at least 0
		 */
		public File {
			requireName("kairo.audit.file.chain", chain);
			new PropertyBounds("kairo.audit.file.").positive("max-file-size", maxFileSize)
				.atLeast("max-files", maxFiles, 0)
				.between("min-age", minAge, Duration.ZERO, Duration.ofDays(36_500));
		}

	}

	/**
	 * Configuration properties for the sink of type jdbc.
	 *
	 * @param chain Name of the chain, which is part of the hashes. Instances with the
	 * same name continue one chain.
	 * @param initializeSchema When to create the tables: in embedded databases, always,
	 * or never. By default, as kairo.jdbc.initialize-schema.
	 */
	public record Jdbc(@DefaultValue("kairo") String chain, @Nullable SchemaInitialization initializeSchema) {

		/**
		 * Creates the properties.
		 */
		public Jdbc {
			requireName("kairo.audit.jdbc.chain", chain);
		}

	}

}
