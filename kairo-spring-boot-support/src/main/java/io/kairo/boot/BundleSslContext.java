package io.kairo.boot;

import java.security.KeyManagementException;
import java.security.SecureRandom;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * The TLS context of an SSL bundle. New connections use the content of the bundle at
 * their beginning. No session from before an update is resumed. Safe for use by several
 * threads.
 */
public final class BundleSslContext extends SSLContext {

	private static final Log logger = LogFactory.getLog(BundleSslContext.class);

	private BundleSslContext(Current current) {
		super(current, current.context.getProvider(), current.context.getProtocol());
	}

	/**
	 * Returns the context of a bundle.
	 * @param bundles the bundles of the application
	 * @param name the name of the bundle
	 * @return the context
	 * @throws NoSuchSslBundleException if there is no such bundle
	 * @throws IllegalStateException if its certificates or keys cannot be read
	 */
	public static SSLContext of(SslBundles bundles, String name) {
		return new BundleSslContext(new Current(bundles, name));
	}

	/**
	 * The context of the last bundle that could be used.
	 */
	private static final class Current extends SSLContextSpi {

		private volatile SSLContext context;

		private Current(SslBundles bundles, String name) {
			// an update during the creation waits, so that the newest bundle counts
			synchronized (this) {
				bundles.addBundleUpdateHandler(name, (bundle) -> update(name, bundle));
				this.context = bundles.getBundle(name).createSslContext();
			}
		}

		private synchronized void update(String name, SslBundle bundle) {
			try {
				this.context = bundle.createSslContext();
				logger.info("New connections use the certificates of the updated SSL bundle '" + name + "'");
			}
			catch (RuntimeException ex) {
				logger.error("The SSL bundle '" + name
						+ "' was updated and cannot be used, so its previous certificates are: correct its files", ex);
			}
		}

		@Override
		protected void engineInit(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust,
				@Nullable SecureRandom random) throws KeyManagementException {
			throw new KeyManagementException("The context is that of an SSL bundle");
		}

		@Override
		protected SSLSocketFactory engineGetSocketFactory() {
			return this.context.getSocketFactory();
		}

		@Override
		protected SSLServerSocketFactory engineGetServerSocketFactory() {
			return this.context.getServerSocketFactory();
		}

		@Override
		protected SSLEngine engineCreateSSLEngine() {
			return this.context.createSSLEngine();
		}

		@Override
		protected SSLEngine engineCreateSSLEngine(String host, int port) {
			return this.context.createSSLEngine(host, port);
		}

		@Override
		protected SSLSessionContext engineGetServerSessionContext() {
			return this.context.getServerSessionContext();
		}

		@Override
		protected SSLSessionContext engineGetClientSessionContext() {
			return this.context.getClientSessionContext();
		}

		@Override
		protected SSLParameters engineGetDefaultSSLParameters() {
			return this.context.getDefaultSSLParameters();
		}

		@Override
		protected SSLParameters engineGetSupportedSSLParameters() {
			return this.context.getSupportedSSLParameters();
		}

	}

}
