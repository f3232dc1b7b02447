package io.kairo.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.kairo.mcp.AttackedServer.Figures;
import io.kairo.mcp.AttackedServer.Observed;
import io.kairo.mcp.QuietTenant.Calls;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for what a hostile tenant gets from a server with a small heap, and what another
 * tenant notices of it. With the system property {@code kairo.docs.write=true} the
 * attacks take longer, and the figures are written to {@code docs/security.md}.
 */
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
@DisabledOnOs(OS.WINDOWS)
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(600)
class HostileTenantTests {

	private static final boolean WRITE = Boolean.getBoolean("kairo.docs.write");

	private static final Duration TIME = Duration.ofSeconds(WRITE ? 10 : 5);

	/** The latency that other programs of the machine may add, in milliseconds. */
	private static final double NOISE = 2000;

	/** The bytes of heap that may remain. */
	private static final long HEAP = 64 << 20;

	/** The maximum number of threads of the web server, which keeps them for a while. */
	private static final int THREADS = 200;

	/** The number of connections that may remain. */
	private static final int CONNECTIONS = 5;

	/** The number of descriptors that may remain, such as those of commands. */
	private static final int DESCRIPTORS = 20;

	private final Map<HostileAttack, HostileTenantTable.Row> rows = new EnumMap<>(HostileAttack.class);

	private Path directory;

	/**
	 * The workspace of the tenant that attacks, which gets the files of the one before.
	 */
	private Path workspace;

	private AttackedServer server;

	private QuietTenant quiet;

	@BeforeAll
	void prepare(@TempDir Path directory) throws IOException {
		this.directory = directory;
		this.workspace = Files.createDirectories(directory.resolve("roots/hostile"));
		HostileAttack.prepare(this.workspace);
		Files.writeString(
				Files.createDirectories(directory.resolve("roots/" + QuietTenant.NAME)).resolve(QuietTenant.FILE),
				"small\n");
	}

	/**
	 * Starts the server, again if an attack has ended it.
	 */
	private void start() throws Exception {
		if (this.server == null || !this.server.isAlive()) {
			this.server = new AttackedServer(this.directory);
			this.quiet = new QuietTenant(this.server.port());
			this.quiet.call(Duration.ofSeconds(WRITE ? 60 : 10));
		}
	}

	@AfterAll
	void stop() throws Exception {
		if (this.server != null) {
			this.server.close();
		}
		HostileTenantTable table = new HostileTenantTable(this.rows);
		System.out.println(table);
		if (WRITE && this.rows.size() == HostileAttack.values().length) {
			table.write();
		}
	}

	@ParameterizedTest
	@EnumSource
	void otherTenantIsServed(HostileAttack attack) throws Exception {
		start();
		Path workspace = this.directory.resolve("roots/" + attack.tenant());
		Files.move(this.workspace, workspace);
		this.workspace = workspace;
		Figures before = this.server.figures();
		Calls undisturbed = this.quiet.call(TIME);
		int logged = this.server.log().length();
		Observed<Calls> during;
		String answers;
		try (ChildJvm client = new ChildJvm(attack.isProgram() ? List.of() : List.of("chrt", "--idle", "0"),
				List.of("-Xmx1g"), HostileClient.class, HostileClient.MARK,
				List.of(attack.name(), String.valueOf(this.server.port()), workspace.toString()))) {
			client.answer();
			during = this.server.observe(() -> this.quiet.call(TIME));
			assertThat(this.server.isAlive()).as(this.server::log).isTrue();
			answers = client.ask("");
		}
		Figures after = await().atMost(Duration.ofSeconds(150))
			.pollInterval(Duration.ofSeconds(1))
			.until(this::rest, (figures) -> isNear(figures, before));
		this.rows.put(attack, new HostileTenantTable.Row(before, during.figures(), after, undisturbed, during.value()));
		assertThat(undisturbed.failures()).isEmpty();
		assertThat(during.value().failures()).isEmpty();
		assertThat(answers.split(",")).allMatch((answer) -> answer.matches(attack.answers()));
		assertThat(this.server.log().substring(logged).lines())
			.noneMatch((line) -> line.startsWith(HostileAttack.FORGED));
		assertThat(during.value().read(0.5)).isLessThan(5 * undisturbed.read(0.5) + NOISE);
	}

	/**
	 * Opens a session, with which those that have expired end, and returns the figures.
	 * Keeps the session of the other tenant in use.
	 */
	private Figures rest() throws Exception {
		this.quiet.open();
		assertThat(this.quiet.call(Duration.ZERO).failures()).isEmpty();
		return this.server.figures();
	}

	private static boolean isNear(Figures after, Figures before) {
		return after.heap() < before.heap() + HEAP && after.threads() < before.threads() + THREADS
				&& after.descriptors() < before.descriptors() + DESCRIPTORS
				&& after.connections() < before.connections() + CONNECTIONS;
	}

}
