package io.kairo.mcp;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The attacks of one client on the server, and the legal loads to which they are
 * compared.
 */
enum HostileAttack {

	/** No load: the variation of the measurement itself. */
	NOTHING("nothing, for comparison", 1, "", (client) -> pause(60_000)),

	/** No load of the server: what a processor less means. */
	COMPUTING("nothing, while another program computes on one processor", 1, "", (client) -> compute()),

	/** A legal load within the rate limit of a tenant. */
	READS("legal: 8 clients read a small file, up to the rate limit", 8, "200", (client) -> {
		client.post(client.headers(), HostileClient.call("Read", "file_path", "small.txt"));
		pause(160);
	}),

	/** A legal load that needs as much of the processors as it gets. */
	SEARCHES("legal: 8 clients search 100 MB of text", 8, "200",
			(client) -> client.post(client.headers(),
					HostileClient.call("Grep", "pattern", "[a-y]+z", "path", "text"))),

	READS_WITHOUT_PAUSE("100 clients read a small file without a pause", 100, "200|429|closed|timeout",
			(client) -> client.post(client.headers(), HostileClient.call("Read", "file_path", "small.txt"))),

	STREAMS("opens and closes event streams", 8, "200", (client) -> {
		try (Socket stream = client.send("GET", client.headers(), "")) {
			client.countStatus(stream);
		}
	}),

	UNKNOWN_METHODS("posts 4,000 unknown methods, and leaves the connections open", 8, "200",
			(client) -> client.postUnknownMethod()),

	LARGE_NAMES("`initialize` with a client name of 8 MiB, or with line ends", 8, "200|400|413|429|503|closed",
			(client) -> {
				client.open("x".repeat(8 << 20));
				client.open("\\r\\n" + HostileAttack.FORGED + " log entry" + "\\u001b[2J".repeat(20));
			}),

	SESSIONS("opens sessions, as fast as it can", 8, "200", (client) -> client.open("client")),

	LIMITED_SESSIONS("the same, with the default rate limit", 8, "200|429", (client) -> client.open("client")),

	LARGE_BODIES("posts of 400 MiB", 16, "200|413|503|closed", (client) -> {
		Map<String, String> headers = client.headers();
		headers.put("Transfer-Encoding", "chunked");
		byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes();
		try (Socket socket = client.send("POST", headers, "")) {
			OutputStream output = socket.getOutputStream();
			try {
				for (int i = 0; i < 400 * 16; i++) {
					output.write(chunk);
				}
			}
			finally {
				client.countStatus(socket);
			}
		}
	}),

	SLOW_POSTS("210 posts, of which a byte arrives each second", 210, "200|400|408|429|closed|timeout", (client) -> {
		Map<String, String> headers = client.headers();
		headers.put("Content-Length", "1000");
		try (Socket socket = client.send("POST", headers, "{")) {
			while (socket.getInputStream().available() == 0) {
				socket.getOutputStream().write(' ');
				pause(1000);
			}
			client.countStatus(socket);
		}
	}),

	SLOW_READERS("200 slow readers of an image of 5 MB", 200, "200|429|closed|timeout", (client) -> {
		try (Socket socket = client.send("POST", client.headers(),
				HostileClient.call("Read", "file_path", "image.png"))) {
			client.countStatus(socket);
			while (socket.getInputStream().read() >= 0) {
				pause(500);
			}
		}
	}),

	ENDLESS_LINES("40 reads and searches of a sparse file of one line", 40, "200|429|closed|timeout", (client) -> {
		client.post(client.headers(), HostileClient.call("Read", "file_path", "endless"));
		client.post(client.headers(), HostileClient.call("Grep", "pattern", "x+y", "path", "endless"));
	}),

	CLOSED_CALLS("the same and commands, and closes each connection during the call", 40, "200|429", (client) -> {
		for (String call : new String[] { HostileClient.call("Read", "file_path", "endless"),
				HostileClient.call("Grep", "pattern", "x+y", "path", "endless"),
				HostileClient.call("Bash", "command", "sleep 600") }) {
			try (Socket socket = client.send("POST", client.headers(), call)) {
				pause(500);
			}
		}
	}),

	PIPES("reads and searches of a file that becomes a named pipe", 30, "200|429|timeout", (client) -> {
		if (client.isFirstThread()) {
			client.swap();
		}
		else {
			client.post(client.headers(), HostileClient.call("Read", "file_path", "swapped"));
			client.post(client.headers(), HostileClient.call("Grep", "pattern", "x", "path", "swapped"));
		}
	}),

	GROWING_EDITS("edits that replace 100 KB by 3 GB", 8, "200|429|timeout",
			(client) -> client.post(client.headers(),
					HostileClient.call("Edit", "file_path", "words.txt", "old_string", "a", "new_string",
							"b".repeat(60_000), "replace_all", true))),

	LINE_FEEDS("edits of 64 MB of line feeds", 8, "200|429|timeout",
			(client) -> client.post(client.headers(),
					HostileClient.call("Edit", "file_path", "line-feeds.txt", "old_string", "\\n\\n", "new_string",
							"\\n", "replace_all", true))),

	IGNORE_FILES("searches below 30 ignore files of 1 MiB", 20, "200|429|timeout",
			(client) -> client.post(client.headers(),
					HostileClient.call("Glob", "pattern", "**/*.c", "path", "ignored"))),

	HELD_SESSIONS("opens 5,000 sessions and 1,000 event streams, and holds them", 8, "200|429|closed|timeout",
			(client) -> client.hold()),

	FOREIGN_PAGES("messages for a rebound name, from foreign pages, and as text", 8, "403|415", (client) -> {
		for (String[] header : new String[][] { { "Host", "evil.example" }, { "Origin", "https://evil.example" },
				{ "Content-Type", "text/plain" } }) {
			Map<String, String> headers = client.headers(null);
			headers.put(header[0], header[1]);
			client.post(headers, HostileClient.call("Bash", "command", "touch reached"));
		}
	});

	/** Begins a line of the log that a client forges. */
	static final String FORGED = "2026-01-01 forged";

	private final String title;

	private final int threads;

	private final String answers;

	private final Step step;

	HostileAttack(String title, int threads, String answers, Step step) {
		this.title = title;
		this.threads = threads;
		this.answers = answers;
		this.step = step;
	}

	String title() {
		return this.title;
	}

	int threads() {
		return this.threads;
	}

	/**
	 * Returns the pattern of the answers that the server may give.
	 */
	String answers() {
		return this.answers;
	}

	/**
	 * Returns the name of the tenant: each attack has its own, with limits of its own.
	 */
	String tenant() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Returns whether the tenant may call as often as it likes, as where no limit is set.
	 */
	boolean isUnlimited() {
		return this == STREAMS || this == UNKNOWN_METHODS || this == SESSIONS || this == HELD_SESSIONS;
	}

	/**
	 * Returns whether the client is a program that competes for the processors, rather
	 * than one that would run on another machine.
	 */
	boolean isProgram() {
		return this == COMPUTING;
	}

	void step(HostileClient client) throws Exception {
		this.step.run(client);
	}

	private static void pause(long millis) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(millis);
	}

	private static void compute() {
		for (long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1); System.nanoTime() < until;) {
			Thread.onSpinWait();
		}
	}

	/**
	 * Creates the files that the attacks use.
	 */
	static void prepare(Path workspace) throws IOException {
		Files.createDirectories(workspace.resolve("text"));
		Files.writeString(workspace.resolve("small.txt"), "small\n");
		for (int i = 0; i < 10; i++) {
			Files.writeString(workspace.resolve("text/" + i + ".txt"),
					"abc def ghi jkl mno pqr stu vwx\n".repeat(312_500));
		}
		byte[] image = Arrays.copyOf(new byte[] { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' }, 5_000_000);
		Files.write(workspace.resolve("image.png"), image);
		try (RandomAccessFile endless = new RandomAccessFile(workspace.resolve("endless").toFile(), "rw")) {
			endless.write("x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII));
			endless.setLength(1L << 36);
		}
		Files.writeString(workspace.resolve("words.txt"), "a ".repeat(50_000));
		byte[] lines = new byte[64 << 20];
		Arrays.fill(lines, (byte) '\n');
		Files.write(workspace.resolve("line-feeds.txt"), lines);
		Path directory = workspace.resolve("ignored");
		for (int i = 0; i < 30; i++) {
			directory = Files.createDirectories(directory.resolve("d"));
			Files.writeString(directory.resolve(".gitignore"), "a*b*c*d?\n".repeat((1 << 20) / 9));
			for (int j = 0; j < 100; j++) {
				Files.createFile(directory.resolve(j + ".c"));
			}
		}
	}

	/**
	 * A part of an attack, which a thread repeats.
	 */
	private interface Step {

		void run(HostileClient client) throws Exception;

	}

}
