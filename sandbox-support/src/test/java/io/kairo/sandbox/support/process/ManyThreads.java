package io.kairo.sandbox.support.process;

/**
 * A program with threads, for a test to run.
 */
final class ManyThreads {

	private ManyThreads() {
	}

	public static void main(String[] args) throws InterruptedException {
		System.out.println("!");
		Thread.sleep(60_000);
	}

}
