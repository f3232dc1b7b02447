package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.Secret;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.GitAccess;
import io.kairo.sandbox.support.proxy.InjectedHeader;
import io.kairo.sandbox.support.proxy.LoopbackProxy;
import io.kairo.sandbox.support.proxy.RequestRule;
import io.kairo.sandbox.support.proxy.RequestRules;
import io.kairo.sandbox.support.proxy.TlsHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests secrets that commands can use and cannot read, with a host that requires them.
 */
@RequiresBubblewrap
@Tag("alone")
class BubblewrapSecretsTests {

	private static final String VALUE = "s3cret-of-acme-0123456789";

	/** Finds the secret, but not itself. */
	private static final String PATTERN = "s3cret-of-acm[e]-0123|czNjcmV0LW9mLWFjbWU[t]MDEyM";

	private static final String COMMIT = """
			commit refs/heads/main
			committer a <a@b> 0 +0000
			data 5
			first
			M 644 inline file
			data 8
			content
			""";

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private final TlsHost host = new TlsHost();

	@RegisterExtension
	final BubblewrapFixture api = sandbox(
			rule(InjectedHeader.of("token", "Authorization", "Bearer {secret}")).withPath("/api/"));

	@RegisterExtension
	final BubblewrapFixture reading = sandbox(
			rule(InjectedHeader.basic("token", "robot")).withPath("/team/").withGit(GitAccess.FETCH),
			RequestRule.deny(authority()));

	@RegisterExtension
	final BubblewrapFixture writing = sandbox(
			rule(InjectedHeader.basic("token", "robot")).withPath("/team/").withGit(GitAccess.PUSH));

	@TempDir
	Path repositories;

	@BeforeEach
	void requirePrograms() {
		assumeThat(
				Stream.of("/usr/bin/curl", "/usr/bin/git").allMatch((program) -> Files.isExecutable(Path.of(program)))
						|| LoopbackServer.isBubblewrapRequired())
			.as("curl and git are in /usr/bin")
			.isTrue();
	}

	@AfterEach
	void close() {
		this.host.close();
	}

	private String authority() {
		return "ok.com:" + this.host.port();
	}

	private RequestRule rule(InjectedHeader header) {
		return RequestRule.inject(authority(), header);
	}

	private BubblewrapFixture sandbox(RequestRule... rules) {
		RequestRules requestRules = RequestRules
			.of(List.of(rules), (name, tenant) -> tenant.tenantId().equals("acme") ? Secret.of(VALUE) : null,
					Duration.ofSeconds(5))
			.withSsl(this.host.ssl());
		return new BubblewrapFixture((options) -> options.with(
				(changes) -> changes.commands((commands) -> commands.allowList(AllowList.of(List.of("example.org"))))),
				(options) -> new BubblewrapSandbox(options,
						new Networks(LoopbackProxy.allowing(AllowList.of(List.of(authority())).withRules(requestRules)),
								RelayProgram.find(), options.commands().runAs())));
	}

	private BubblewrapFixture.Outcome run(BubblewrapFixture sandbox, String command) {
		BubblewrapFixture.Outcome outcome = sandbox.run(command,
				(request) -> request.tenant(ACME).timeout(Duration.ofMinutes(2)));
		assertThat(outcome.out() + outcome.err()).doesNotContain(VALUE);
		return outcome;
	}

	@Test
	void commandUsesSecretThatItDoesNotFind() {
		BubblewrapFixture.Outcome outcome = run(this.api,
				"curl -sS http://" + authority()
						+ "/api/x; echo; env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; set;"
						+ " grep -rslaE --exclude-dir=usr --exclude-dir=proc --exclude-dir=sys '" + PATTERN
						+ "' / && echo fo''und;" + " cat /proc/*/environ /proc/*/cmdline | grep -aE '" + PATTERN
						+ "' && echo fo''und");
		assertThat(outcome.out()).startsWith("GET /api/x 0\n").contains("http_proxy=").doesNotContain("found");
		assertThat(this.host.requests()).singleElement().asString().contains("Authorization: Bearer " + VALUE);
	}

	@Test
	void noProcessOfTheHostShowsSecret() throws IOException {
		try (SandboxHandle handle = this.api.start("curl -sS http://" + authority() + "/api/x; echo; sleep 60",
				(request) -> request.tenant(ACME))) {
			handle.output().blockFirst(Duration.ofSeconds(30));
			List<Path> revealing = new ArrayList<>();
			try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
				processes.filter((directory) -> directory.getFileName().toString().matches("\\d+"))
					.flatMap((directory) -> Stream.of(directory.resolve("environ"), directory.resolve("cmdline")))
					.filter(BubblewrapSecretsTests::reveals)
					.forEach(revealing::add);
			}
			assertThat(revealing).isEmpty();
			try (Stream<Path> files = Files.walk(this.api.state())) {
				assertThat(files.filter(Files::isRegularFile)).noneMatch(BubblewrapSecretsTests::reveals);
			}
		}
		assertThat(this.host.requests().get(0)).contains(VALUE);
	}

	private static boolean reveals(Path file) {
		try {
			return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(VALUE);
		}
		catch (IOException ex) {
			// the process has ended
			return false;
		}
	}

	@Test
	void otherTenantGetsNoSecret() {
		BubblewrapFixture.Outcome outcome = this.api.run("curl -sS http://" + authority() + "/api/x",
				(request) -> request.tenant(new TenantContext("globex", "gus")));
		assertThat(outcome.out()).contains("the credential for this request is not available");
		assertThat(outcome.err()).isEqualTo("kairo: the network refused " + authority() + " (secret_unavailable)\n");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void cloneIsAllowedAndPushIsRefused() throws Exception {
		createRepository();
		String url = "https://" + authority() + "/team/x.git";
		String push = "git -C x -c user.name=a -c user.email=a@b commit -q --allow-empty -m second; git -C x push -q; ";
		BubblewrapFixture.Outcome outcome = run(this.reading,
				"git clone -q " + url + " x && cat x/file; " + push + "git -C x pull -q && echo pulled");
		assertThat(outcome.out()).as(outcome.err()).isEqualTo("content\npulled\n");
		assertThat(outcome.err()).contains("403", "kairo: the network refused " + authority() + " (denied_by_rule)");
		assertThat(git("rev-list", "--count", "main")).isEqualTo("1");
		assertThat(run(this.writing, "git clone -q " + url + " x && " + push).exit().exitCode()).isZero();
		assertThat(git("rev-list", "--count", "main")).isEqualTo("2");
		assertThat(run(this.reading, "grep -rsE '" + PATTERN + "' x || echo nothing").out()).isEqualTo("nothing\n");
	}

	@Test
	void tunnelToHostWithDenyingRuleIsRefused() {
		BubblewrapFixture.Outcome outcome = run(this.reading, "curl -sS -k https://" + authority() + "/team/");
		assertThat(outcome.err()).contains("403", "(tunnel_denied)");
		assertThat(this.host.requests()).isEmpty();
	}

	@Test
	void gitConfigurationOfRequestIsKept() {
		Map<String, String> own = Map.of("GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "user.name", "GIT_CONFIG_VALUE_0",
				"me");
		String show = "git config user.name; git config url.http://" + authority() + "/.insteadOf";
		assertThat(this.api.run(show, (request) -> request.tenant(ACME).env(own)).out())
			.isEqualTo("me\nhttps://" + authority() + "/\n");
	}

	private void createRepository() throws Exception {
		git("init", "-q", "--bare", "-b", "main", ".");
		git("config", "http.receivepack", "true");
		git("-c", "user.name=a", "-c", "user.email=a@b", "fast-import", "--quiet");
		this.host.answers(new GitBackend(this.repositories,
				"Basic " + Base64.getEncoder().encodeToString(("robot:" + VALUE).getBytes(StandardCharsets.US_ASCII))));
	}

	/**
	 * Runs git in the repository of the host.
	 */
	private String git(String... arguments) throws Exception {
		Path repository = Files.createDirectories(this.repositories.resolve("team/x.git"));
		List<String> command = new ArrayList<>(List.of("git"));
		command.addAll(List.of(arguments));
		Path input = Files.writeString(this.repositories.resolve("input"), COMMIT);
		Process process = new ProcessBuilder(command).directory(repository.toFile())
			.redirectInput(input.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		assertThat(process.waitFor()).as(output).isZero();
		return output;
	}

}
