package io.kairo.sandbox.docker;

import java.util.Locale;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * A problem that prevents the use of a Docker engine.
 *
 * @param reason the kind of problem
 * @param detail the finding
 */
public record DockerProblem(Reason reason, String detail) {

	/**
	 * Creates the value.
	 * @param reason the kind of problem
	 * @param detail the finding
	 */
	public DockerProblem {
	}

	/**
	 * Returns the exception for a command that cannot be started because of this problem.
	 * @return an exception that contains the remedy
	 */
	public SandboxException toException() {
		return new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "Docker cannot be used (" + this + ")",
				this.reason.remedy());
	}

	@Override
	public String toString() {
		return this.reason.code() + ": " + this.detail;
	}

	/**
	 * The kinds of problems. New constants are only ever added at the end.
	 */
	public enum Reason {

		/** No engine answers at the address. */
		DAEMON_UNREACHABLE("start the Docker engine, or set kairo.sandbox.docker.host to its address"),

		/** The user of the JVM may not use the socket of the engine. */
		SOCKET_FORBIDDEN(
				"give the user of the application access to the socket, usually by the group 'docker', and be aware that this is as much as root"),

		/**
		 * The engine speaks no version of the API that this backend speaks, or is not
		 * Docker.
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

		/**
		 * Returns the reason as it appears in health and logs.
		 * @return the name in lower case, such as {@code image_missing}
		 */
		public String code() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * Returns the remedy.
		 * @return a sentence without a period
		 */
		public String remedy() {
			return this.remedy;
		}

	}

}
