package io.kairo.sandbox.support.proxy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.Secret;
import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RequestRules}, {@link RequestRule}, {@link InjectedHeader} and
 * {@link ProxyVariables}.
 */
class RequestRulesTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static RequestRules rules(RequestRule... rules) {
		return RequestRules.of(List.of(rules), (name, tenant) -> null, Duration.ofSeconds(1));
	}

	private static ProxyRequest request(String line) throws ProxyRefusedException {
		return ProxyRequest.of(RequestHead.parse(line + " HTTP/1.0\r\n"));
	}

	@ParameterizedTest
	@CsvSource({ "ok.com, http://ok.com/", "ok.com, http://ok.com:80/", "ok.com, http://ok.com:443/",
			"ok.com:443, http://ok.com/", "ok.com:8443, http://ok.com:8443/", "OK.com, http://Ok.COM/" })
	void ruleAppliesToSpellingsOfHost(String host, String url) throws ProxyRefusedException {
		RequestDecision decision = rules(RequestRule.forward(host)).of(ACME, request("GET " + url));
		assertThat(decision.target().port()).isEqualTo(host.endsWith("8443") ? 8443 : 443);
		assertThat(decision.head(request("GET " + url), null))
			.contains("Host: ok.com" + (host.endsWith("8443") ? ":8443" : "") + "\r\n");
	}

	@ParameterizedTest
	@CsvSource({ "ok.com, http://www.ok.com/", "ok.com, http://ok.com:8443/", "ok.com:8443, http://ok.com/" })
	void ruleDoesNotApplyToOtherHost(String host, String url) throws ProxyRefusedException {
		assertThat(rules(RequestRule.deny(host)).of(ACME, request("GET " + url))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ok.com:443", "ok.com:80", "OK.com:443" })
	void tunnelToDeniedHostIsRefused(String target) {
		assertThatExceptionOfType(ProxyRefusedException.class)
			.isThrownBy(() -> rules(RequestRule.deny("ok.com")).of(ACME, request("CONNECT " + target)))
			.satisfies((ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.TUNNEL_DENIED));
	}

	@Test
	void ruleOfOtherTenantHasNoEffect() throws ProxyRefusedException {
		RequestRules rules = rules(RequestRule.deny("ok.com").withTenant("globex"));
		assertThat(rules.of(ACME, request("GET http://ok.com/"))).isNull();
		assertThat(rules.of(ACME, request("CONNECT ok.com:443"))).isNull();
		assertThat(rules.hosts(ACME)).isEmpty();
		assertThat(rules.hosts(new TenantContext("globex", "gus"))).containsExactly("ok.com");
	}

	@Test
	void invalidRuleIsRejected() {
		InjectedHeader header = InjectedHeader.of("a", "X-Key", "{secret}");
		RequestRule rule = RequestRule.inject("ok.com", header);
		assertThatIllegalArgumentException().isThrownBy(() -> RequestRule.inject("https://ok.com", header));
		assertThatIllegalArgumentException().isThrownBy(() -> rule.withMethods(Set.of("TRACE")));
		assertThatIllegalArgumentException().isThrownBy(() -> rule.withMethods(Set.of("get")));
		assertThatIllegalArgumentException().isThrownBy(() -> rule.withMethods(Set.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> rule.withPath("/a?b"));
		assertThatIllegalArgumentException().isThrownBy(() -> rule.withPath("a"));
		assertThatIllegalArgumentException().isThrownBy(() -> RequestRule.deny("ok.com").withGit(GitAccess.FETCH));
		assertThatIllegalArgumentException().isThrownBy(() -> InjectedHeader.of("a", "Host", "{secret}"));
		assertThatIllegalArgumentException().isThrownBy(() -> InjectedHeader.of("a", "X", "{secret}{secret}"));
		assertThatIllegalArgumentException().isThrownBy(() -> InjectedHeader.of("a", "X", "a\r\nY: {secret}"));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RequestRules.of(List.of(), (a, b) -> null, Duration.ZERO));
		assertThatIllegalArgumentException().isThrownBy(() -> Secret.of("a\nb")).withMessageNotContaining("a\nb");
		assertThat(Secret.of("abc")).hasToString("Secret[***]");
	}

	@Test
	void gitIsConfiguredForHostsWithRules() {
		Map<String, String> variables = new HashMap<>(Map.of("GIT_CONFIG_COUNT", "2"));
		ProxyVariables.add(variables, Map.of("http_proxy", "own"), 3128, List.of("ok.com", "x.org:8443"));
		assertThat(variables).containsEntry("GIT_CONFIG_COUNT", "4")
			.containsEntry("GIT_CONFIG_KEY_2", "url.http://ok.com/.insteadOf")
			.containsEntry("GIT_CONFIG_VALUE_3", "https://x.org:8443/")
			.containsEntry("https_proxy", "http://127.0.0.1:3128")
			.doesNotContainKey("http_proxy");
		Map<String, String> odd = new HashMap<>(Map.of("GIT_CONFIG_COUNT", "x"));
		ProxyVariables.add(odd, Map.of(), 3128, List.of("ok.com"));
		assertThat(odd).containsEntry("GIT_CONFIG_COUNT", "x").doesNotContainKey("GIT_CONFIG_KEY_0");
	}

}
