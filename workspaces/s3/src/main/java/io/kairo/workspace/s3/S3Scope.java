package io.kairo.workspace.s3;

import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PortableName;
import org.jspecify.annotations.Nullable;

/**
 * A location that tenants may open workspaces in, such as
 * <code>agents/{tenant}/work</code>. Immutable.
 *
 * @param template the bucket and the prefix, with <code>{tenant}</code> for the id of the
 * tenant
 */
public record S3Scope(String template) {

	private static final String TENANT = "{tenant}";

	/**
	 * Creates a scope.
	 * @throws WorkspacePathException if it is malformed
	 */
	public S3Scope {
		Objects.requireNonNull(template, "template");
		template = template.startsWith("s3://") ? template.substring(5) : template;
		parse(template.replace(TENANT, "tenant"));
	}

	/**
	 * Returns whether a tenant may open a location.
	 */
	boolean allows(S3Location location, TenantContext tenant) {
		S3Location permitted = of(tenant);
		return permitted != null && location.isWithin(permitted);
	}

	/**
	 * Returns the location of a tenant.
	 * @param tenant the tenant
	 * @return the location, null if the id of the tenant cannot be part of it
	 */
	private @Nullable S3Location of(TenantContext tenant) {
		if (!this.template.contains(TENANT)) {
			return parse(this.template);
		}
		// a name that is safe contains no slash and is neither . nor ..
		if (!PortableName.is(tenant.tenantId())) {
			return null;
		}
		try {
			return parse(this.template.replace(TENANT, tenant.tenantId()));
		}
		catch (WorkspacePathException ex) {
			return null;
		}
	}

	private static S3Location parse(String text) {
		return S3Location.parse("s3://" + text);
	}

	@Override
	public String toString() {
		return this.template;
	}

}
