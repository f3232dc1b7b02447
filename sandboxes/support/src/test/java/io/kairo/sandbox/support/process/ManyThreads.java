package io.kairo.sandbox.support.process;

/**
 * A Java program, which has several threads, for tests that scan processes.
 */
final class ManyThreads {

	private ManyThreads() {
	}

	public static void main(String[] args) throws InterruptedException {
		System.out.println("!");
		Thread.sleep(60_000);
	}

}
