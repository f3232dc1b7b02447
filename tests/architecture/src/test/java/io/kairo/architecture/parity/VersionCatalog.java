package io.kairo.architecture.parity;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import tools.jackson.core.type.TypeReference;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * The contents of {@code libs.versions.toml}.
 *
 * @param versions versions by name
 * @param libraries libraries by the name that scripts use, such as {@code spring.ai.bom}
 */
record VersionCatalog(Map<String, String> versions, Map<String, Library> libraries) {

	/**
	 * A library.
	 *
	 * @param coordinates group and artifact
	 * @param version its version
	 */
	record Library(String coordinates, String version) {

	}

	private static final TypeReference<Map<String, Map<String, Object>>> TABLES = new TypeReference<>() {
	};

	static VersionCatalog parse(String text) {
		Map<String, Map<String, Object>> tables = new TomlMapper().readValue(text, TABLES);
		check(Set.of("versions", "libraries").containsAll(tables.keySet()), "unknown tables in " + tables.keySet());
		tables.forEach((table, entries) -> refuseGroups(table, entries.keySet()));
		Map<String, String> versions = new TreeMap<>();
		tables.getOrDefault("versions", Map.of()).forEach((name, version) -> versions.put(name, (String) version));
		Map<String, Library> libraries = new HashMap<>();
		tables.getOrDefault("libraries", Map.of()).forEach((alias, entry) -> {
			Library library = library(alias, (Map<?, ?>) entry, versions);
			check(libraries.put(accessor(alias), library) == null, alias + " is declared twice");
		});
		return new VersionCatalog(versions, libraries);
	}

	/**
	 * Refuses an alias that consists of the first segments of another: its accessor is a
	 * group of accessors, which has no value of its own.
	 */
	private static void refuseGroups(String table, Set<String> aliases) {
		for (String alias : aliases) {
			for (String other : aliases) {
				check(!accessor(other).startsWith(accessor(alias) + "."),
						alias + " in [" + table + "] is a group for Gradle, since there is " + other + ": rename one");
			}
		}
	}

	private static String accessor(String alias) {
		return alias.replaceAll("[-_]", ".");
	}

	private static Library library(String alias, Map<?, ?> entry, Map<String, String> versions) {
		check(entry.keySet().equals(Set.of("module", "version")) && entry.get("version") instanceof Map,
				alias + " needs exactly module and version.ref, and has " + entry);
		String reference = (String) ((Map<?, ?>) entry.get("version")).get("ref");
		check(versions.containsKey(reference), alias + " refers to the unknown version " + reference);
		return new Library((String) entry.get("module"), versions.get(reference));
	}

	Library library(String name) {
		Library library = this.libraries.get(name);
		check(library != null, "there is no library for libs." + name);
		return library;
	}

	private static void check(boolean condition, String problem) {
		if (!condition) {
			throw new IllegalStateException("gradle/libs.versions.toml: " + problem);
		}
	}

}
