package io.kairo.test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A sandbox that runs nothing and answers commands by a script. Of several answers that
 * fit a command, the one added last is given. A command without an answer ends with the
 * exit code 127, as an unknown program does, and is listed by {@link #unanswered()}.
 * <p>
 * It claims every {@link SandboxCapability}, so that an application that requires some
 * starts with it. Not final, since observed sandboxes are proxied. Safe for use by
 * several threads.
 */
public class FakeSandbox implements ExecutionSandbox, Resettable {

	private static final int NOT_FOUND = 127;

	private final Deque<Script> scripts = new ArrayDeque<>();

	private final List<SandboxRequest> requests = new CopyOnWriteArrayList<>();

	private final List<String> unanswered = new CopyOnWriteArrayList<>();

	/**
	 * Creates a sandbox without answers.
	 */
	public FakeSandbox() {
	}

	/**
	 * Adds the answers to a command: the first to its first run, and so on; the last is
	 * repeated.
	 * @param command the command, without white space around it
	 * @param first the first answer
	 * @param next the answers to further runs
	 * @return this sandbox
	 */
	public FakeSandbox answer(String command, FakeAnswer first, FakeAnswer... next) {
		return answerWith((request) -> request.command().strip().equals(command), inTurn(first, next));
	}

	/**
	 * Adds the answers to all commands that contain a match of a pattern.
	 * @param pattern the pattern
	 * @param first the first answer
	 * @param next the answers to further runs; the last one is repeated
	 * @return this sandbox
	 */
	public FakeSandbox answerMatching(Pattern pattern, FakeAnswer first, FakeAnswer... next) {
		return answerWith((request) -> pattern.matcher(request.command()).find(), inTurn(first, next));
	}

	/**
	 * Adds a function that answers requests. It may change files of the workspace, as a
	 * command would, and throw a {@linkplain io.kairo.api.sandbox.SandboxException
	 * SandboxException} to refuse a request.
	 * @param condition the requests to answer
	 * @param answer the function
	 * @return this sandbox
	 */
	public FakeSandbox answerWith(Predicate<SandboxRequest> condition, Function<SandboxRequest, FakeAnswer> answer) {
		synchronized (this.scripts) {
			this.scripts.addFirst(new Script(condition, answer));
		}
		return this;
	}

	private static Function<SandboxRequest, FakeAnswer> inTurn(FakeAnswer first, FakeAnswer... next) {
		Deque<FakeAnswer> answers = new ArrayDeque<>(List.of(next));
		answers.addFirst(first);
		return (request) -> {
			synchronized (answers) {
				return (answers.size() > 1) ? answers.removeFirst() : answers.getFirst();
			}
		};
	}

	@Override
	public SandboxHandle start(SandboxRequest request) {
		this.requests.add(request);
		return new FakeHandle(request, script(request).apply(request));
	}

	private Function<SandboxRequest, FakeAnswer> script(SandboxRequest request) {
		synchronized (this.scripts) {
			for (Script script : this.scripts) {
				if (script.condition().test(request)) {
					return script.answer();
				}
			}
		}
		return (unknown) -> {
			this.unanswered.add(unknown.command());
			return FakeAnswer.exit(NOT_FOUND, "")
				.withStderr("FakeSandbox has no answer to this command: add one with answer(...)\n");
		};
	}

	/**
	 * Returns the commands that were started, in this order.
	 * @return a copy
	 */
	public List<String> commands() {
		return this.requests.stream().map(SandboxRequest::command).toList();
	}

	/**
	 * Returns the requests that were started, in this order.
	 * @return a copy
	 */
	public List<SandboxRequest> requests() {
		return List.copyOf(this.requests);
	}

	/**
	 * Returns the commands without an answer.
	 * @return a copy
	 */
	public List<String> unanswered() {
		return List.copyOf(this.unanswered);
	}

	/**
	 * Removes all answers and forgets all commands.
	 */
	@Override
	public void reset() {
		synchronized (this.scripts) {
			this.scripts.clear();
		}
		this.requests.clear();
		this.unanswered.clear();
	}

	@Override
	public SandboxCapabilities capabilities() {
		return SandboxCapabilities.of("fake", EnumSet.allOf(SandboxCapability.class), Map.of());
	}

	/**
	 * The answers to some requests.
	 *
	 * @param condition the requests
	 * @param answer the function that answers them
	 */
	private record Script(Predicate<SandboxRequest> condition, Function<SandboxRequest, FakeAnswer> answer) {

	}

}
