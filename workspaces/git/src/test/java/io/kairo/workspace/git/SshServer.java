package io.kairo.workspace.git;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * An {@code sshd} of OpenSSH on a port of the loopback interface, at which the user of
 * this JVM can log in with a key. If it is not available, tests are skipped, or fail if
 * the environment variable {@code KAIRO_REQUIRE} names {@code sshd}.
 */
final class SshServer implements AutoCloseable {

	private static final List<Path> PLACES = List.of(Path.of("/usr/sbin/sshd"), Path.of("/usr/local/sbin/sshd"));

	/** Directory to which an sshd of root confines its unprivileged process. */
	private static final Path EMPTY = Path.of("/run/sshd");

	private final Path directory;

	private final int port;

	private final Process process;

	SshServer(Path directory) throws IOException {
		Path program = program();
		this.directory = Files.createDirectory(directory);
		makeKey("host", "");
		makeKey("user", "");
		makeKey("stranger", "");
		makeKey("locked", "a passphrase");
		Files.writeString(directory.resolve("authorized"), read("user.pub") + read("locked.pub"));
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.port = free.getLocalPort();
		}
		Path configuration = Files.writeString(directory.resolve("sshd_config"), """
				ListenAddress 127.0.0.1
				Port %d
				HostKey %s
				AuthorizedKeysFile %s
				PasswordAuthentication no
				KbdInteractiveAuthentication no
				StrictModes no
				UsePAM no
				PidFile none
				""".formatted(this.port, directory.resolve("host"), directory.resolve("authorized")));
		this.process = new ProcessBuilder(program.toString(), "-D", "-e", "-f", configuration.toString())
			.redirectErrorStream(true)
			.redirectOutput(directory.resolve("sshd.txt").toFile())
			.start();
		awaitStart();
	}

	private static Path program() throws IOException {
		Path program = PLACES.stream().filter(Files::isExecutable).findFirst().orElse(null);
		String user = System.getProperty("user.name");
		String reason = "sshd is not installed, or /run/sshd, which sshd of root needs, does not exist, or the user "
				+ user + " cannot log in: install openssh-server, create the directory, or use a user with a shell";
		boolean usable = program != null && (!user.equals("root") || Files.isDirectory(EMPTY)) && hasShell(user);
		if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("sshd")) {
			assertThat(usable).as("sshd, required by KAIRO_REQUIRE, is usable; " + reason).isTrue();
		}
		if (!usable) {
			System.getLogger(SshServer.class.getName()).log(System.Logger.Level.WARNING, "Skipped: {0}", reason);
		}
		assumeTrue(usable, reason);
		return (program != null) ? program : PLACES.get(0);
	}

	private static boolean hasShell(String user) throws IOException {
		return Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1)
			.stream()
			.filter((line) -> line.startsWith(user + ":"))
			.noneMatch((line) -> line.endsWith("/nologin") || line.endsWith("/false"));
	}

	private void awaitStart() throws IOException {
		try {
			Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
				try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
					return socket.isConnected();
				}
			});
		}
		catch (RuntimeException ex) {
			close();
			throw new IOException(read("sshd.txt"), ex);
		}
	}

	private void makeKey(String name, String passphrase) throws IOException {
		Process made = new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f",
				this.directory.resolve(name).toString())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(made.onExit().join().exitValue()).as("ssh-keygen").isZero();
	}

	private String read(String file) throws IOException {
		return Files.readString(this.directory.resolve(file), StandardCharsets.UTF_8);
	}

	/**
	 * Creates a program {@code ssh} with its own key and known hosts, which ignores those
	 * of the user of this JVM.
	 * @param key the key to authenticate with: user, stranger or locked
	 * @param known the key that is known for this server: host, stranger, or an empty
	 * text for none
	 * @return the directory of the program
	 */
	Path client(String key, String known) throws IOException {
		Path programs = Files.createTempDirectory(this.directory, "programs");
		Path hosts = Files.writeString(programs.resolve("known_hosts"),
				known.isEmpty() ? "" : "[127.0.0.1]:" + this.port + " " + read(known + ".pub"));
		Path configuration = Files.writeString(programs.resolve("ssh_config"), """
				IdentityFile %s
				IdentitiesOnly yes
				IdentityAgent none
				UserKnownHostsFile %s
				GlobalKnownHostsFile /dev/null
				""".formatted(this.directory.resolve(key), hosts));
		Path ssh = Files.writeString(programs.resolve("ssh"),
				"#!/bin/sh\nexec /usr/bin/ssh -F '" + configuration + "' \"$@\"\n");
		Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
		return programs;
	}

	String url() {
		return "ssh://" + System.getProperty("user.name") + "@127.0.0.1:" + this.port;
	}

	@Override
	public void close() {
		this.process.descendants().forEach(ProcessHandle::destroyForcibly);
		this.process.destroyForcibly();
	}

}
