package io.kairo.autoconfigure.tenancy;

import java.security.Principal;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;

/**
 * Supplies the principal of Spring Security.
 */
final class SecurityContextPrincipal implements PrincipalSource {

	private final Supplier<@Nullable SecurityContext> security;

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	/**
	 * Creates a source.
	 * @param security supplies the security context of the current thread, null if there
	 * is none
	 */
	SecurityContextPrincipal(Supplier<@Nullable SecurityContext> security) {
		this.security = security;
	}

	@Override
	public @Nullable Principal current() {
		SecurityContext context = this.security.get();
		Authentication authentication = (context != null) ? context.getAuthentication() : null;
		return (authentication != null && !isAnonymous(authentication)) ? authentication : null;
	}

	@Override
	public boolean isAnonymous(Principal principal) {
		return principal instanceof Authentication authentication
				&& (!authentication.isAuthenticated() || this.trust.isAnonymous(authentication));
	}

}
