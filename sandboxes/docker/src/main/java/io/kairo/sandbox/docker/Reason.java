package io.kairo.sandbox.docker;

import java.util.Locale;

import io.kairo.sandbox.backend.BackendProblem;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of problems that prevent the use of Docker. New constants are only ever added
 * at the end.
 */
enum Reason {

	/** No engine answers at the address. */
	DAEMON_UNREACHABLE("start the Docker engine, or set kairo.sandbox.docker.host to its address"),

	/** The user of the JVM may not use the socket of the engine. */
	SOCKET_FORBIDDEN(
			"give the user of the application access to the socket, usually by the group 'docker', and be aware that this is as much as root"),

	/**
	 * The engine speaks no version of the API that this backend speaks, or is not Docker.
	 */
	API_UNSUPPORTED("use Docker 20.10 or newer"),

	/** The image does not exist in the engine. */
	IMAGE_MISSING("build or pull the image before the application starts: it is never pulled by a command"),

	/** The image lacks a program that every command needs, or has volumes. */
	IMAGE_UNSUITABLE(
			"use an image with a POSIX shell and perl, such as one that is based on Debian, and without VOLUME"),

	/** The engine does not know the runtime. */
	RUNTIME_MISSING("register the runtime with the engine, or remove kairo.sandbox.docker.runtime"),

	/** The engine does not see the files of this machine. */
	FILES_NOT_SHARED(
			"let directories be copied with kairo.sandbox.docker.workspaces=auto, or use an engine on the machine of the application; if the application runs in a container, mount its workspaces and kairo.state-dir into it, and set kairo.sandbox.docker.path-mappings if the engine cannot tell where they are"),

	/** The engine cannot enforce a limit that is set. */
	LIMIT_UNSUPPORTED("remove the limit, or let the kernel and the engine enforce it by control groups"),

	/** The command of the self-test was not confined, or did not run. */
	CANARY_FAILED("see the detail; use another sandbox if it cannot be fixed"),

	/** The engine could not pull the image. */
	IMAGE_NOT_PULLED(
			"see the answer of the engine: correct the name of the image, or the credentials in the configuration of Docker, or load the image into the engine before the application starts"),

	/** The runtime is gVisor, and the mounts of its containers cannot be verified. */
	MOUNTS_UNPROVEN("let the application see the processes of the machine of the engine, or use another runtime");

	private final String remedy;

	Reason(String remedy) {
		this.remedy = remedy;
	}

	BackendProblem found(String finding) {
		return new BackendProblem("Docker", code(), finding, this.remedy);
	}

	boolean is(@Nullable BackendProblem problem) {
		return problem != null && problem.code().equals(code());
	}

	String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}
