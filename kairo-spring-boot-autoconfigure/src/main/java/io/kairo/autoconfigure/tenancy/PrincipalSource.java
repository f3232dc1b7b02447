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
	 * Returns whether a principal is known not to be authenticated.
	 * @param principal the principal of a request
	 */
	default boolean isAnonymous(Principal principal) {
		return false;
	}

	/**
	 * Returns a source that supplies the first principal found.
	 * @param sources the sources, in order of precedence
	 */
	static PrincipalSource firstOf(List<PrincipalSource> sources) {
		return new PrincipalSource() {

			@Override
			public @Nullable Principal current() {
				return sources.stream().map(PrincipalSource::current).filter(Objects::nonNull).findFirst().orElse(null);
			}

			@Override
			public boolean isAnonymous(Principal principal) {
				return sources.stream().anyMatch((source) -> source.isAnonymous(principal));
			}

		};
	}

}
