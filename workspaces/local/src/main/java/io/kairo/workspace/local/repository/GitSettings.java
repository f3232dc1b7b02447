package io.kairo.workspace.local.repository;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.workspace.local.repository.GitConfig.Setting;

/**
 * The settings that a command may leave in the configuration of a repository: they make
 * Git run nothing, read no other configuration, and weaken no check. A command may not
 * leave any other setting, not even an unknown one.
 */
final class GitSettings {

	/**
	 * The settings in sections without a subsection: a section, and keys or an asterisk.
	 */
	private static final Map<String, Set<String>> PLAIN = settings("""
			advice *
			apply whitespace ignorewhitespace
			author name email
			branch autosetupmerge autosetuprebase sort
			checkout defaultremote guess
			color *
			column *
			commit cleanup gpgsign status verbose
			committer name email
			core abbrev autocrlf bare bigfilethreshold commentchar compression eol filemode ignorecase
			core logallrefupdates longpaths precomposeunicode preloadindex quotepath repositoryformatversion
			core safecrlf sharedrepository splitindex symlinks trustctime untrackedcache whitespace
			diff algorithm colormoved context indentheuristic mnemonicprefix noprefix relative renamelimit renames
			extensions noop objectformat preciousobjects refstorage relativeworktrees
			fetch all prune prunetags
			gc auto autodetach
			http postbuffer
			i18n commitencoding logoutputencoding
			index skiphash sparse version
			init defaultbranch
			lfs repositoryformatversion
			log abbrevcommit date decorate follow
			merge branchdesc conflictstyle ff log renamelimit renames stat verbosity
			pull ff rebase
			push autosetupremote default followtags
			rebase autosquash autostash forkpoint missingcommitscheck rebasemerges stat updaterefs
			remote pushdefault
			rerere autoupdate enabled
			status branch relativepaths renames short showstash showuntrackedfiles
			submodule active
			tag gpgsign sort
			user name email useconfigonly
			worktree guessremote userelativepaths
			""");

	/** The settings in subsections of any name. */
	private static final Map<String, Set<String>> NAMED = settings("""
			branch description gh-merge-base github-pr-owner-number merge pushremote rebase remote vscode-merge-base
			color *
			lfs access locksverify
			remote fetch gh-resolved prune prunetags pushurl skipdefaultupdate
			remote skipfetchall tagopt url
			submodule active branch ignore shallow url
			""");

	/** Settings whose value is the address of a remote repository. */
	private static final Set<String> ADDRESSES = Set.of("remote.url", "remote.pushurl", "submodule.url");

	/**
	 * Settings whose value is the name of a remote repository. If there is no such name,
	 * Git takes it for the path of a repository, whose hooks a push runs.
	 */
	private static final Set<String> NAMES = Set.of("branch.remote", "branch.pushremote", "remote.pushdefault",
			"checkout.defaultremote");

	/**
	 * The address of a repository on another host: neither a path nor a transport helper
	 * ({@code helper::address}), and without anything that {@code ssh} takes for an
	 * option.
	 */
	private static final Pattern ADDRESS = Pattern
		.compile("(?!.*::)(?:(?:https?|ssh|git)://|(?=[^/:]{2,}:[^-])(?!.*://))"
				+ "(?:[A-Za-z0-9][^@/\\s]*+@)?+[A-Za-z0-9\\[][^\\s\\p{Cntrl}]*");

	/**
	 * The name of a remote repository or submodule that no program takes for an option.
	 */
	private static final Pattern NAME = Pattern.compile("\\w[\\w./+-]*");

	private static final Set<String> OFF = Set.of("false", "no", "off", "0");

	private static final Map<String, Set<String>> VALUES = Map.of("core.sharedrepository",
			Set.of("0", "1", "false", "true", "group", "umask"), "extensions.objectformat", Set.of("sha1", "sha256"),
			"extensions.refstorage", Set.of("files", "reftable"), "lfs.access",
			Set.of("none", "basic", "negotiate", "private"), "lfs.locksverify", Set.of("true", "false"),
			"commit.gpgsign", OFF, "tag.gpgsign", OFF, "remote.tagopt", Set.of("--tags", "--no-tags"));

	/** Versions of Git cut lines that are twice as long. */
	private static final int MAX_LENGTH = 450;

	private GitSettings() {
	}

	private static Map<String, Set<String>> settings(String lines) {
		return lines.lines()
			.map((line) -> line.split(" "))
			.collect(Collectors.toUnmodifiableMap((words) -> words[0],
					(words) -> Set.of(Arrays.copyOfRange(words, 1, words.length)),
					(one, two) -> Stream.concat(one.stream(), two.stream()).collect(Collectors.toUnmodifiableSet())));
	}

	/**
	 * Returns whether a command may leave a setting.
	 * @param setting the setting
	 * @param remotes the names of the remote repositories that have an address
	 */
	static boolean isHarmless(Setting setting, Set<String> remotes) {
		String key = setting.section() + "." + setting.key();
		String value = setting.value();
		if (!isKnown(setting) || setting.name().length() + String.valueOf(value).length() > MAX_LENGTH) {
			return false;
		}
		if (setting.section().equals("remote") && setting.subsection() != null && !setting.key().equals("url")
				&& !remotes.contains(setting.subsection())) {
			return false;
		}
		if (ADDRESSES.contains(key)) {
			return value != null && ADDRESS.matcher(value).matches();
		}
		if (NAMES.contains(key)) {
			return value != null && (remotes.contains(value) || (value.equals(".") && key.startsWith("branch.")));
		}
		Set<String> values = VALUES.get(key);
		return values == null || (value != null && values.contains(value.toLowerCase(Locale.ROOT)));
	}

	private static boolean isKnown(Setting setting) {
		String section = setting.section();
		String subsection = setting.subsection();
		if (subsection != null && (section.equals("remote") || section.equals("submodule"))
				&& !NAME.matcher(subsection).matches()) {
			return false;
		}
		Set<String> known = ((subsection == null) ? PLAIN : NAMED).get(section);
		return known != null && (known.contains(setting.key()) || known.contains("*"));
	}

	/**
	 * Returns the names of the remote repositories that have an address.
	 * @param settings the settings with the addresses
	 * @param trusted the settings that may stay although they are not harmless
	 */
	static Set<String> remotes(Collection<Setting> settings, Collection<Setting> trusted) {
		return settings.stream()
			.filter((setting) -> setting.subsection() != null && setting.section().equals("remote")
					&& setting.key().equals("url") && (trusted.contains(setting) || isHarmless(setting, Set.of())))
			.map(Setting::subsection)
			.collect(Collectors.toSet());
	}

}
