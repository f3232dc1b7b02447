package demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.server.SecurityWebFilterChain;

/**
 * A reactive application whose users are tenants.
 */
@SpringBootApplication
public class TwoTenants {

	public static void main(String[] arguments) {
		SpringApplication.run(TwoTenants.class, arguments);
	}

	@Bean
	SecurityWebFilterChain security(ServerHttpSecurity http) {
		return http
			.authorizeExchange((exchanges) -> exchanges.pathMatchers("/open/**").permitAll().anyExchange().authenticated())
			.httpBasic(Customizer.withDefaults())
			.csrf((csrf) -> csrf.disable())
			.build();
	}

	@Bean
	MapReactiveUserDetailsService users() {
		return new MapReactiveUserDetailsService(user("alice"), user("bob"));
	}

	private static UserDetails user(String name) {
		return User.withUsername(name).password("{noop}" + name + "-password").roles("TENANT").build();
	}

}
