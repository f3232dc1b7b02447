package io.kairo.architecture.parity;

import java.util.List;
import java.util.Map;

/**
 * What both builds have to agree on.
 *
 * @param group the group of every artifact
 * @param version the version of every artifact
 * @param versions the versions of others that the build names, by short name
 * @param platforms the BOMs by coordinates, with their versions
 * @param compilerArguments what the compiler is told for main code
 * @param modules the modules by the name of their directory
 */
record Build(String group, String version, Map<String, String> versions, Map<String, String> platforms,
		List<String> compilerArguments, Map<String, Module> modules) {

	/**
	 * One module.
	 *
	 * @param artifact the name of its artifact
	 * @param dependencies what it depends on, by coordinates
	 * @param processors its annotation processors and compiler plug-ins by coordinates,
	 * with their versions
	 */
	record Module(String artifact, Map<String, Dependency> dependencies, Map<String, String> processors) {

	}

	/**
	 * One dependency.
	 *
	 * @param scope where it is seen
	 * @param version its version as the build names it, or {@link #MANAGED}
	 */
	record Dependency(Scope scope, String version) {

		/**
		 * The version of what comes from a BOM, or from this build.
		 */
		static final String MANAGED = "managed";

		@Override
		public String toString() {
			return this.scope + " (" + this.version + ")";
		}

	}

	/**
	 * Where a dependency is seen, in the words of Maven.
	 */
	enum Scope {

		COMPILE, OPTIONAL, RUNTIME, TEST

	}

}
