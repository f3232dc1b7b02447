package demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * An application whose users are tenants.
 */
@SpringBootApplication
public class TwoTenants {

	public static void main(String[] arguments) {
		SpringApplication.run(TwoTenants.class, arguments);
	}

	@Bean
	SecurityFilterChain security(HttpSecurity http) throws Exception {
		return http
			.authorizeHttpRequests((requests) -> requests.requestMatchers("/actuator/**")
				.hasRole("OPERATOR")
				.anyRequest()
				.authenticated())
			.httpBasic(Customizer.withDefaults())
			.csrf((csrf) -> csrf.disable())
			.build();
	}

	@Bean
	UserDetailsService users() {
		return new InMemoryUserDetailsManager(user("alice", "TENANT"), user("bob", "TENANT"),
				user("operator", "OPERATOR"));
	}

	private static org.springframework.security.core.userdetails.UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}" + name + "-password").roles(role).build();
	}

}
