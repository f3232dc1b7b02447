package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.cache.CacheUse;
import io.kairo.sandbox.support.cache.TenantCaches;
import io.kairo.sandbox.support.process.LauncherThread;
import io.kairo.sandbox.support.thread.Deadlines;

/**
 * Creates the namespaces of sessions.
 *
 * @param options the options of the sandbox
 * @param control contains the files of the sessions
 * @param launcher starts their processes
 * @param networks creates their networks
 * @param caches the caches of tenants
 */
record SessionFactory(BubblewrapOptions options, ControlDirectory control, LauncherThread launcher, Networks networks,
		TenantCaches caches) {

	static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final int MAX_BYTES = 4096;

	private static final List<String> NAMESPACES = List.of("--unshare-user", "--unshare-pid", "--die-with-parent",
			"--cap-add", "CAP_SYS_ADMIN", "--json-status-fd", "" + ControlFiles.STATUS, "--dev-bind", "/", "/");

	/**
	 * Mounts the directories of a session, which bubblewrap cannot bound in their number
	 * of files, and the caches of its tenant in the home directory. Its arguments are the
	 * bounds, the directories with their permissions, a slash, the caches with their
	 * names, a slash, and the program to run then.
	 */
	private static final String MOUNT = """
			bounds=$1; shift
			while [ "$1" != / ]; do
				mkdir "${1#* }" && mount -t tmpfs -o "nosuid,nodev,$bounds,mode=${1%% *}" tmpfs "${1#* }" || exit
				home=${1#* }; shift
			done
			shift
			while [ "$1" != / ]; do
				mkdir "$home/$1" && mount --bind "$2" "$home/$1" || exit
				shift 2
			done
			shift
			exec "$@"
			""";

	/**
	 * Tells that everything is mounted, and mounts overlays, each for two lines, a
	 * directory and its layer, or an empty line and the layer to unmount it. Ends when
	 * the JVM closes its input.
	 */
	private static final String MOUNT_OVERLAYS = """
			echo
			while IFS= read -r lower && IFS= read -r layer; do
				if [ "$lower" ]; then
					mount -t overlay -o "lowerdir=$lower,upperdir=$layer/upper,workdir=$layer/work,userxattr" \
							overlay "$layer/merged"
				else
					umount -l "$layer/merged"
				fi >/dev/null 2>&1
				echo $?
			done
			""";

	/** Usual files are larger. */
	private static final int BYTES_PER_FILE = 1024;

	/** Tells that everything is mounted, and ends when the JVM closes its input. */
	private static final List<String> WAIT = List.of("/bin/sh", "-c", "echo && exec cat");

	/**
	 * Creates the namespaces of a session.
	 * @param bubblewrap the programs to run
	 * @param tenant the tenant of the session
	 * @param deadlines ends a process that takes too long
	 * @throws IOException if they cannot be created; nothing is left then
	 */
	SessionNamespaces open(Bubblewrap bubblewrap, TenantContext tenant, Deadlines deadlines) throws IOException {
		Path directory = this.control.newDirectory("session");
		ControlFiles files = null;
		Networks.CommandNetwork network = null;
		SessionNamespaces session = null;
		CacheUse caches = CacheUse.NONE;
		try {
			files = this.control.newFiles();
			network = this.networks.open(files, tenant);
			caches = this.caches.use(tenant);
			Process process = start(bubblewrap, arguments(bubblewrap, caches.directories(), network, directory), files);
			session = new SessionNamespaces(process, files, directory, network, this.options.network() != Network.HOST,
					caches, deadlines);
			awaitMounts(session, deadlines);
			return session;
		}
		catch (IOException | RuntimeException ex) {
			if (session != null) {
				session.close();
			}
			else {
				caches.close();
				Files.deleteIfExists(directory);
			}
			if (network != null) {
				network.close();
			}
			if (files != null) {
				files.close();
			}
			throw ex;
		}
	}

	private List<String> arguments(Bubblewrap bubblewrap, Map<String, Path> caches, Networks.CommandNetwork network,
			Path directory) {
		List<String> arguments = new ArrayList<>(bubblewrap.unprivileged());
		arguments.add(bubblewrap.bwrap().toString());
		arguments.addAll(NAMESPACES);
		arguments.addAll(Bubblewrap.FIRST_PROCESS);
		if (hasOverlays(this.options, this.networks)) {
			// the work directory of an overlay has no permissions
			arguments.addAll(List.of("--cap-add", "CAP_DAC_OVERRIDE"));
		}
		if (this.options.network() != Network.HOST) {
			arguments.add("--unshare-net");
		}
		long bytes = this.options.tmpfsBytes();
		arguments.addAll(List.of("--", "/bin/sh", "-c", MOUNT, "kairo",
				"size=" + bytes + ",nr_inodes=" + Math.max(bytes / BYTES_PER_FILE, BYTES_PER_FILE)));
		for (TemporaryDirectory temporary : TemporaryDirectory.values()) {
			arguments.add(temporary.forSession(directory));
		}
		arguments.add("/");
		// before any command can place a link there
		caches.forEach((name, cache) -> arguments.addAll(List.of(name, cache.toString())));
		arguments.add("/");
		if (hasOverlays(this.options, this.networks)) {
			arguments.addAll(List.of("/bin/sh", "-c", MOUNT_OVERLAYS));
			return arguments;
		}
		arguments.addAll(List.of(bubblewrap.setpriv().toString(), "--inh-caps=-all", "--ambient-caps=-all"));
		arguments.addAll(network.relayed(WAIT));
		return arguments;
	}

	/**
	 * Returns whether sessions can have overlays. This process has no user in the
	 * namespaces of another one. With a proxy, sessions differ by the attributes of the
	 * tenant, which may change from one call to the next.
	 */
	static boolean hasOverlays(BubblewrapOptions options, Networks networks) {
		return options.commands().runAs() == null && networks.proxy() == null;
	}

	private Process start(Bubblewrap bubblewrap, List<String> arguments, ControlFiles files) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(arguments).directory(Path.of("/").toFile());
		builder.environment().clear();
		builder.environment().putAll(bubblewrap.mark());
		return this.launcher.opening(List.of(files.inheritedStatus())).launch(builder);
	}

	private static void awaitMounts(SessionNamespaces session, Deadlines deadlines) throws IOException {
		Process process = session.process();
		Future<?> end = deadlines.after(PATIENCE, process::destroyForcibly);
		try {
			if (process.getInputStream().read() != '\n' || session.waiting().isEmpty()) {
				throw new IOException("The namespaces of a session could not be created: "
						+ new String(process.getErrorStream().readNBytes(MAX_BYTES), StandardCharsets.UTF_8).strip());
			}
		}
		finally {
			end.cancel(false);
		}
	}

}
