package io.kairo.architecture.parity;

import java.util.List;
import java.util.Map;

/**
 * The properties in which both builds must agree.
 *
 * @param group the group of every artifact
 * @param version the version of every artifact
 * @param versions the named versions of dependencies, by name
 * @param platforms the BOMs by coordinates, with their versions
 * @param compilerArguments the compiler arguments for main code
 * @param modules the modules by the path of their directory
 */
record Build(String group, String version, Map<String, String> versions, Map<String, String> platforms,
		List<String> compilerArguments, Map<String, Module> modules) {

	/**
	 * A module of the build.
	 *
	 * @param artifact the name of its artifact
	 * @param dependencies its dependencies by coordinates
	 * @param processors its annotation processors and compiler plug-ins by coordinates,
	 * with their versions
	 */
	record Module(String artifact, Map<String, Dependency> dependencies, Map<String, String> processors) {

	}

	/**
	 * A dependency of a module.
	 *
	 * @param scope the scope of the dependency
	 * @param version the version in the build file, or {@link #MANAGED}
	 */
	record Dependency(Scope scope, String version) {

		/**
		 * The version of a dependency that is managed by a BOM or belongs to this build.
		 */
		static final String MANAGED = "managed";

		@Override
		public String toString() {
			return this.scope + " (" + this.version + ")";
		}

	}

	/**
	 * The scope of a dependency, with the names of Maven; {@link #CONSTRAINT} is an entry
	 * of a BOM.
	 */
	enum Scope {

		COMPILE, OPTIONAL, RUNTIME, TEST, CONSTRAINT

	}

}
