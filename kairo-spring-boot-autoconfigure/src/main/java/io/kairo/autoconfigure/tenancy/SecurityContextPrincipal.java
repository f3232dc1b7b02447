package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Asks Spring Security.
 */
final class SecurityContextPrincipal implements PrincipalSource {

	private final SecurityContextHolderStrategy security;

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	SecurityContextPrincipal(SecurityContextHolderStrategy security) {
		this.security = security;
	}

	@Override
	public @Nullable Principal current() {
		Authentication authentication = this.security.getContext().getAuthentication();
		return (authentication != null && authentication.isAuthenticated() && !this.trust.isAnonymous(authentication))
				? authentication : null;
	}

}
