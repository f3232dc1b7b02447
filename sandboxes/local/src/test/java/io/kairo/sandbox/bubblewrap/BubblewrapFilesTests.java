package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which files of the host a command in a {@link BubblewrapSandbox} can access.
 */
@RequiresBubblewrap
class BubblewrapFilesTests {

	@RegisterExtension
	final BubblewrapFixture fixture = new BubblewrapFixture();

	@ParameterizedTest
	@ValueSource(strings = { "cat '%s'", "cat ../secret", "ln -s '%s' l; cat l", "ln -s .. l; cat l/secret",
			"cat '/proc/1/root%s'", "cat '/proc/self/root%s'", "for p in /proc/[0-9]*; do cat $p/root'%s'; done",
			"cat /proc/1/cwd/secret", "mount -t tmpfs none /tmp; cat '%s'", "chroot /proc/1/root cat '%s'",
			"unshare -Urm cat '%s'", "nsenter -t 1 -m cat '%s'", "echo x > '%s'; cat '%s'", "ln '%s' hard; cat hard",
			"mkdir -p a; cd a; cd -P ../..; cat secret" })
	void hostFileBesideTheWorkspaceIsInaccessible(String attack) {
		String command = attack.replace("%s", this.fixture.secret().toString());
		assertThat(this.fixture.run("{ " + command + "; } 2>/dev/null; echo ran").out()).as("output of the attack")
			.endsWith("ran\n")
			.doesNotContain("secret of the host");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/etc/shadow", "/etc/ssh", "/root", "/home/*/.ssh", "/var", "/opt", "/boot", "/srv",
			"/sys", "/run/docker.sock", "/run/systemd", "/etc/ssl/private", "/etc/machine-id", "/dev/mem", "/dev/kmsg",
			"/dev/sda", "/dev/vda" })
	void hostPathDoesNotExistInTheSandbox(String path) {
		assertThat(this.fixture.run("ls -d " + path + " 2>/dev/null; echo ran").out()).isEqualTo("ran\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/usr", "/usr/bin", "/etc", "/dev", "/run", "/run/kairo", "/home", "/proc",
			"/proc/sys/kernel", "/lib" })
	void systemDirectoryIsNotWritable(String directory) {
		assertThat(this.fixture
			.run("true > " + directory + "/written; mount -o remount,rw " + directory + "; true > " + directory
					+ "/written && echo wrote; echo ran")
			.out()).isEqualTo("ran\n");
	}

	@Test
	void temporaryFilesArePrivateToTheSessionAndLimited() {
		assertThat(this.fixture.run("for d in /tmp /dev/shm ~; do echo x > $d/own && cat $d/own; done").out())
			.isEqualTo("x\nx\nx\n");
		for (String session : Arrays.asList("b", null)) {
			assertThat(this.fixture.runWith((attributes) -> attributes.sessionId(session), "cat /tmp/own; ls -A /tmp ~")
				.out()).doesNotContain("own");
		}
		try (BubblewrapSandbox small = new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes.commands((commands) -> commands.tmpfsBytes(1L << 20))))) {
			JvmUser.grantAccess(this.fixture.workspace());
			for (String directory : List.of("/tmp", "/dev/shm", "$HOME")) {
				String fill = "head -c 4000000 /dev/zero > " + directory + "/f; wc -c < " + directory + "/f";
				for (String session : Arrays.asList("a", null)) {
					var outcome = BubblewrapFixture
						.outcome(small.start(new SandboxRequest.Builder(fill, this.fixture.workspace()).attributes(
								SandboxAttributes.builder().sessionId(session).workspaceTarget("/workspace").build())
							.build()));
					assertThat(outcome.out().trim()).isEqualTo("1048576");
					assertThat(outcome.err()).contains("No space left");
				}
			}
		}
	}

	@Test
	void commandCreatesNeitherFilesOfRootNorDevices() throws IOException {
		this.fixture.run("cp /usr/bin/id planted; chmod 6755 planted; ./planted");
		Path planted = this.fixture.workspace().resolve("planted");
		assertThat(Files.getAttribute(planted, "unix:uid", LinkOption.NOFOLLOW_LINKS)).isNotEqualTo(0);
		assertThat(this.fixture.run("mknod d c 1 3; ls d").out()).isEmpty();
	}

	@Test
	void commandLeavesNoCoreDump() {
		assertThat(this.fixture.run("ulimit -Sc; ulimit -Hc; ulimit -c unlimited; sh -c 'kill -ABRT $$'; ls").out())
			.isEqualTo("0\n0\n");
	}

	@Test
	void hostSocketInTheWorkspaceIsInaccessible() throws IOException {
		Path socket = this.fixture.workspace().resolve("s");
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			server.bind(UnixDomainSocketAddress.of(socket));
			server.configureBlocking(false);
			String connect = "perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0) or die qq(no $!\\n);"
					+ "connect(S,sockaddr_un(qq(s))) or die qq(no $!\\n); print qq(connected\\n)'";
			assertThat(this.fixture.run(connect + "; echo ran").out()).isEqualTo("ran\n");
			assertThat(server.accept()).isNull();
		}
	}

	@Test
	void stateDirectoryIsHiddenEvenWithinAWritableMount() throws IOException {
		Path whole = this.fixture.workspace().getParent();
		String command = "cd '" + whole + "'; ls; ls state; find state -type f; mv state moved; mkdir -p state/x;"
				+ " touch state/x; echo ran";
		BubblewrapFixture.Outcome outcome = this.fixture
			.runWith((attributes) -> attributes.mounts(List.of(new Mount(whole, true))), command);
		assertThat(outcome.out()).isEqualTo("secret\nstate\nworkspace\nran\n");
		assertThat(this.fixture.beside("state").resolve("x")).doesNotExist();
	}

	@Test
	void processListShowsNeitherHostPathsNorTheEnvironmentOfTheJvm() {
		String seen = this.fixture.run(
				"for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/cmdline; tr '\\0' '\\n' < $p/environ; done | grep -v ^PWD=")
			.out();
		assertThat(seen).contains("bwrap")
			.doesNotContain(this.fixture.state().toString())
			.doesNotContain("java.io.tmpdir")
			.doesNotContain(System.getProperty("user.home") + "/");
		for (String name : System.getenv().keySet()) {
			if (!List.of("PATH", "LANG", "HOME", "PWD", "SHLVL", "OLDPWD", "_").contains(name)) {
				assertThat(seen.lines()).noneMatch((line) -> line.startsWith(name + "="));
			}
		}
	}

	@Test
	void commandInheritsNoOpenFilesOfTheJvm() {
		assertThat(this.fixture.run("ls /proc/self/fd | tr '\\n' ' '").out()).isEqualTo("0 1 2 3 ");
		assertThat(
				this.fixture.run("ls -l /proc/$$/fd /proc/1/fd | grep -c -e '" + this.fixture.state() + "' -e /kairo-")
					.out())
			.isEqualTo("0\n");
	}

}
