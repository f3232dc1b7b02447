package io.kairo.autoconfigure.tenancy;

import java.security.Principal;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Supplies the principal that is authenticated on the current thread.
 */
@FunctionalInterface
interface PrincipalSource {

	/**
	 * Returns the authenticated principal.
	 * @return the principal; null if there is none, or if it is anonymous
	 */
	@Nullable Principal current();

	/**
	 * Returns a source that supplies the first principal found.
	 * @param sources the sources, in order of precedence
	 */
	static PrincipalSource firstOf(List<PrincipalSource> sources) {
		return () -> sources.stream().map(PrincipalSource::current).filter(Objects::nonNull).findFirst().orElse(null);
	}

}
