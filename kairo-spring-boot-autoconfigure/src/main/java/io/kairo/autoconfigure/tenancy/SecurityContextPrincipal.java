package io.kairo.autoconfigure.tenancy;

import java.security.Principal;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Supplies the principal of Spring Security. Obtains the strategy for each call, since an
 * application can replace it.
 */
final class SecurityContextPrincipal implements PrincipalSource {

	private final Supplier<SecurityContextHolderStrategy> security;

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	SecurityContextPrincipal(Supplier<SecurityContextHolderStrategy> security) {
		this.security = security;
	}

	@Override
	public @Nullable Principal current() {
		Authentication authentication = this.security.get().getContext().getAuthentication();
		return (authentication != null && authentication.isAuthenticated() && !this.trust.isAnonymous(authentication))
				? authentication : null;
	}

}
