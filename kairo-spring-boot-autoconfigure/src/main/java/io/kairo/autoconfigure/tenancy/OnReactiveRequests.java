package io.kairo.autoconfigure.tenancy;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;

/**
 * Condition that requests are authenticated in a Reactor context, over HTTP or RSocket.
 */
final class OnReactiveRequests extends AnyNestedCondition {

	OnReactiveRequests() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class Http {

	}

	@ConditionalOnClass(name = "org.springframework.security.rsocket.core.SecuritySocketAcceptorInterceptor")
	static class Messages {

	}

}
