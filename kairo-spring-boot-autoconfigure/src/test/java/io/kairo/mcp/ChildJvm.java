package io.kairo.mcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.kairo.autoconfigure.ThisJvm;

/**
 * A program in a JVM of its own that answers lines of its standard input with lines that
 * have a mark, and ends with the input.
 */
final class ChildJvm implements AutoCloseable {

	private static final int MAX_LOG = 1_000_000;

	private final Process process;

	private final String mark;

	private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

	private final StringBuffer log = new StringBuffer();

	private final Thread reader;

	/**
	 * Starts the program.
	 * @param prefix the program that starts the JVM, empty for none
	 * @param options the options of the JVM
	 * @param mark marks the lines that are answers
	 */
	ChildJvm(List<String> prefix, List<String> options, Class<?> main, String mark, List<String> arguments)
			throws IOException {
		List<String> command = new ArrayList<>(prefix);
		command.addAll(ThisJvm.command());
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(arguments);
		this.mark = mark;
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.reader = new Thread(this::read, main.getSimpleName() + " output");
		this.reader.setDaemon(true);
		this.reader.start();
	}

	private void read() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				if (line.startsWith(this.mark)) {
					this.answers.add(line.substring(this.mark.length()));
				}
				else if (this.log.length() < MAX_LOG) {
					this.log.append(line).append('\n');
				}
			}
		}
		catch (IOException ex) {
			// the program was ended
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Returns the output without the answers, up to its first million of characters.
	 */
	String log() {
		return this.log.toString();
	}

	/**
	 * Returns the next answer.
	 */
	String answer() throws InterruptedException {
		long started = System.nanoTime();
		while (System.nanoTime() - started < TimeUnit.SECONDS.toNanos(120)) {
			String answer = this.answers.poll(100, TimeUnit.MILLISECONDS);
			if (answer != null) {
				return answer;
			}
			if (!this.reader.isAlive() && this.answers.isEmpty()) {
				break;
			}
		}
		throw new IllegalStateException("No answer: " + this.log);
	}

	String ask(String line) throws IOException, InterruptedException {
		this.process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
		this.process.getOutputStream().flush();
		return answer();
	}

	@Override
	public void close() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
		this.reader.join();
	}

}
