package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs s3proxy until standard input ends, as it does when the test that started this
 * process ends.
 */
final class S3ProxyProgram {

	private S3ProxyProgram() {
	}

	public static void main(String[] arguments) throws Exception {
		Path configuration = Files.createTempFile("s3proxy", ".properties");
		Files.write(configuration,
				List.of("s3proxy.endpoint=http://127.0.0.1:" + arguments[0], "s3proxy.authorization=aws-v2-or-v4",
						"s3proxy.identity=" + S3Server.ACCESS_KEY, "s3proxy.credential=" + S3Server.SECRET_KEY,
						"jclouds.provider=transient-nio2", "jclouds.identity=identity",
						"jclouds.credential=credential"));
		Thread end = new Thread(S3ProxyProgram::awaitEnd);
		end.setDaemon(true);
		end.start();
		org.gaul.s3proxy.Main.main(new String[] { "--properties", configuration.toString() });
		Files.delete(configuration);
	}

	private static void awaitEnd() {
		try {
			while (System.in.read() >= 0) {
				// nothing is expected
			}
		}
		catch (IOException ex) {
			// The other process has ended.
		}
		Runtime.getRuntime().halt(0);
	}

}
