package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which files of the host a command in a {@link BubblewrapSandbox} gets to.
 */
@RequiresBubblewrap
class BubblewrapFilesTests {

	@RegisterExtension
	final Confined confined = new Confined();

	@ParameterizedTest
	@ValueSource(strings = { "cat '%s'", "cat ../secret", "ln -s '%s' l; cat l", "ln -s .. l; cat l/secret",
			"cat '/proc/1/root%s'", "cat '/proc/self/root%s'", "for p in /proc/[0-9]*; do cat $p/root'%s'; done",
			"cat /proc/1/cwd/secret", "mount -t tmpfs none /tmp; cat '%s'", "chroot /proc/1/root cat '%s'",
			"unshare -Urm cat '%s'", "nsenter -t 1 -m cat '%s'", "echo x > '%s'; cat '%s'", "ln '%s' hard; cat hard",
			"mkdir -p a; cd a; cd -P ../..; cat secret" })
	void aFileOfTheHostIsOutOfReach(String attack) {
		String command = attack.replace("%s", this.confined.secret().toString());
		assertThat(this.confined.run("{ " + command + "; } 2>/dev/null; echo ran").out()).as("the attack")
			.endsWith("ran\n")
			.doesNotContain("secret of the host");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/etc/shadow", "/etc/ssh", "/root", "/home/*/.ssh", "/var", "/opt", "/boot", "/srv",
			"/sys", "/run/docker.sock", "/run/systemd", "/etc/ssl/private", "/etc/machine-id", "/dev/mem", "/dev/kmsg",
			"/dev/sda", "/dev/vda" })
	void theHostIsNotThere(String path) {
		assertThat(this.confined.run("ls -d " + path + " 2>/dev/null; echo ran").out()).isEqualTo("ran\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/usr", "/usr/bin", "/etc", "/dev", "/run", "/run/kairo", "/home", "/proc",
			"/proc/sys/kernel", "/lib" })
	void theSystemCannotBeWrittenTo(String directory) {
		assertThat(this.confined
			.run("true > " + directory + "/written; mount -o remount,rw " + directory + "; true > " + directory
					+ "/written && echo wrote; echo ran")
			.out()).isEqualTo("ran\n");
	}

	@Test
	void temporaryFilesAreTheCommandsOwnAndBounded() {
		assertThat(this.confined.run("for d in /tmp /dev/shm ~; do echo x > $d/own && cat $d/own; done").out())
			.isEqualTo("x\nx\nx\n");
		assertThat(this.confined.run("cat /tmp/own; ls -A /tmp ~").out()).doesNotContain("own");
		try (BubblewrapSandbox small = new BubblewrapSandbox(Machine.options().withTmpfsBytes(1 << 20))) {
			Machine.handOver(this.confined.workspace());
			for (String directory : List.of("/tmp", "/dev/shm", "$HOME")) {
				String fill = "head -c 4000000 /dev/zero > " + directory + "/f; wc -c < " + directory + "/f";
				var outcome = Confined.outcome(small
					.start(new io.kairo.api.sandbox.SandboxRequest.Builder(fill, this.confined.workspace()).build()));
				assertThat(outcome.out().trim()).isEqualTo("1048576");
				assertThat(outcome.err()).contains("No space left");
			}
		}
	}

	@Test
	void plantedFilesDoNotBelongToRoot() throws IOException {
		this.confined.run("cp /usr/bin/id planted; chmod 6755 planted; ./planted");
		Path planted = this.confined.workspace().resolve("planted");
		assertThat(Files.getAttribute(planted, "unix:uid", LinkOption.NOFOLLOW_LINKS)).isNotEqualTo(0);
		assertThat(this.confined.run("mknod d c 1 3; ls d").out()).isEmpty();
	}

	@Test
	void aSocketOfTheHostInTheWorkspaceIsOutOfReach() throws IOException {
		Path socket = this.confined.workspace().resolve("s");
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			server.bind(UnixDomainSocketAddress.of(socket));
			server.configureBlocking(false);
			String connect = "perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0) or die qq(no $!\\n);"
					+ "connect(S,sockaddr_un(qq(s))) or die qq(no $!\\n); print qq(connected\\n)'";
			assertThat(this.confined.run(connect + "; echo ran").out()).isEqualTo("ran\n");
			assertThat(server.accept()).isNull();
		}
	}

	@Test
	void stateDirectoryIsHiddenEvenInTheWorkspace() throws IOException {
		Path whole = this.confined.workspace().getParent();
		String command = "cd '" + whole + "'; ls; ls state; find state -type f; mv state moved; mkdir -p state/x;"
				+ " touch state/x; echo ran";
		Confined.Outcome outcome = this.confined
			.runWith((attributes) -> attributes.mounts(List.of(new Mount(whole, true))), command);
		assertThat(outcome.out()).isEqualTo("secret\nstate\nworkspace\nran\n");
		assertThat(this.confined.beside("state").resolve("x")).doesNotExist();
	}

	@Test
	void hostPathsAndTheEnvironmentOfTheJvmAreNotInTheProcessList() {
		String seen = this.confined.run(
				"for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/cmdline; tr '\\0' '\\n' < $p/environ; done | grep -v ^PWD=")
			.out();
		assertThat(seen).contains("bwrap")
			.doesNotContain(this.confined.state().toString())
			.doesNotContain("java.io.tmpdir")
			.doesNotContain(System.getProperty("user.home") + "/");
		for (String name : System.getenv().keySet()) {
			if (!List.of("PATH", "LANG", "HOME", "PWD", "SHLVL", "OLDPWD", "_").contains(name)) {
				assertThat(seen.lines()).noneMatch((line) -> line.startsWith(name + "="));
			}
		}
	}

	@Test
	void nothingOfTheJvmIsOpen() {
		assertThat(this.confined.run("ls /proc/self/fd | tr '\\n' ' '").out()).isEqualTo("0 1 2 3 ");
		assertThat(this.confined
			.run("ls -l /proc/$$/fd /proc/1/fd | grep -c -e '" + this.confined.state() + "' -e /kairo-")
			.out()).isEqualTo("0\n");
	}

}
